/** What is stored of a lease or a slot. The item stays when it is given back, so that its fence only grows. */
import * as z from 'zod';
import { item } from './item.ts';

const LeaseRecordSchema = z.object({
  holder: z.string().optional(),
  fence: z.number().optional(),
  /** Zero: given back. */
  expiresAtMs: z.number().optional(),
  /** Of a deleted connection: nobody takes it. */
  tombstone: z.boolean().optional(),
  /** Holders from this fence on may still put rows, until `lateUntilMs`. */
  lateFence: z.number().optional(),
  lateUntilMs: z.number().optional(),
});
export interface LeaseRecord extends z.infer<typeof LeaseRecordSchema> {}

export const leaseItem = item('lease', LeaseRecordSchema);
