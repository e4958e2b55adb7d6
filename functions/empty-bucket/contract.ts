/**
 * The function that empties a bucket before its stack is deleted (docs/adr/0024). No request ever reaches it, and a stage that
 * keeps its data has none.
 */
import * as z from 'zod';

export const contract = {
  id: 'empty-bucket',
  /** As long as Lambda lets a function run: some hundred thousand objects. */
  timeoutSeconds: 900,
  /** Nothing of the objects passes through it. */
  memoryMb: 256,
} as const;

/** What the stack says of its bucket. CloudFormation adds words of its own. */
export const Emptied = z.object({ bucket: z.string().min(1) });
export type Emptied = z.infer<typeof Emptied>;
