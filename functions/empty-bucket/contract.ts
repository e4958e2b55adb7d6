/**
 * The function that empties a bucket before the bucket's stack is deleted (docs/adr/0024). It receives no requests of
 * the API. Stages that retain their data do not deploy the function.
 */
import * as z from 'zod';

export const contract = {
  id: 'empty-bucket',
  /** Lambda's longest timeout, which is enough to delete some hundred thousand objects. */
  timeoutSeconds: 900,
  /** 256 MB are enough, because the function does not read the objects. */
  memoryMb: 256,
} as const;

/** Properties that the stack sends to this function. CloudFormation adds further fields. */
export const Emptied = z.object({ bucket: z.string().min(1) });
export type Emptied = z.infer<typeof Emptied>;
