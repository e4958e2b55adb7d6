/** What is stored of a lease or a slot. The item stays when it is given back, so that its fence only grows. */
import * as z from 'zod';
import { storedTurns } from '#shared/values/login-turns.ts';
import { item } from './item.ts';

const LeaseRecordSchema = z.object({
  holder: z.string().optional(),
  fence: z.number().optional(),
  /** `GIVEN_BACK`, or epoch milliseconds. */
  expiresAtMs: z.number().optional(),
  /** Of a deleted connection: nobody takes it. */
  tombstone: z.boolean().optional(),
  /** Holders from this fence on may still put rows, until `lateUntilMs`. */
  lateFence: z.number().optional(),
  lateUntilMs: z.number().optional(),
  /** Of a slot: the calls of its login so far. */
  turns: storedTurns().optional(),
  /** Of a slot that was given back: nobody takes it before, for its login may make no call. */
  restsUntilMs: z.number().optional(),
});
export interface LeaseRecord extends z.infer<typeof LeaseRecordSchema> {}

/** The end of a lease that nobody has. */
export const GIVEN_BACK = 0;

export const leaseItem = item('lease', LeaseRecordSchema);
