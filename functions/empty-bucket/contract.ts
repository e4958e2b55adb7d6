/**
 * The function that empties a bucket before its stack is deleted (docs/adr/0024). It receives no requests, and a stage
 * that retains its data does not have it.
 */
import * as z from 'zod';

export const contract = {
  id: 'empty-bucket',
  /** Lambda's longest timeout, which is enough to delete some hundred thousand objects. */
  timeoutSeconds: 900,
  /** The function does not read the objects. */
  memoryMb: 256,
} as const;

/** Properties that the stack sends about its bucket. CloudFormation adds further fields. */
export const Emptied = z.object({ bucket: z.string().min(1) });
export type Emptied = z.infer<typeof Emptied>;
