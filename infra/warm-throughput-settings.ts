/**
 * Units a second that the table takes from its first minute on. A value is paid once, when it is set or raised, and is
 * never lowered (AWS's documents).
 */
import * as z from 'zod';

/** AWS's own start is 12,000 read and 4,000 write units. */
export const WarmThroughput = z.strictObject({
  readUnitsPerSecond: z.int().min(12_000),
  writeUnitsPerSecond: z.int().min(4_000),
});
