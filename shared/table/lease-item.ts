/** The stored form of a lease or slot. The item stays after its release, so that its fence only grows. */
import * as z from 'zod';
import { storedTurns } from '#shared/values/login-turns.ts';
import { item } from './item.ts';

const LeaseRecordSchema = z.object({
  holder: z.string().optional(),
  fence: z.number().optional(),
  /** End of the lease in epoch milliseconds, or `GIVEN_BACK`. */
  expiresAtMs: z.number().optional(),
  /** True for a deleted connection, so that no worker takes the lease. */
  tombstone: z.boolean().optional(),
  /** Holders whose fence is `lateFence` or higher may still put rows, until `lateUntilMs`. */
  lateFence: z.number().optional(),
  lateUntilMs: z.number().optional(),
  /** For a slot: when the slot's login made its last calls, so that the next worker observes the pace. */
  turns: storedTurns().optional(),
  /** For a released slot: no worker takes the slot before this time, because its login may make no call. */
  restsUntilMs: z.number().optional(),
  /** For a released slot: before this time only tasks of its last holder's run take it, because they use its session. */
  reservedUntilMs: z.number().optional(),
});
export interface LeaseRecord extends z.infer<typeof LeaseRecordSchema> {}

/** Value of `expiresAtMs` in a released lease. */
export const GIVEN_BACK = 0;

export const leaseItem = item('lease', LeaseRecordSchema);
