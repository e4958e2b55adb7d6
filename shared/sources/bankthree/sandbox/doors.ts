/** The sandbox's control endpoints: what they change and return. */
import * as z from 'zod';
import { atOnce, type Doors, forgetCounts, latencyMs, period, RutQuery, rut } from '../../sandbox-kit/doors.ts';
import type { State } from './state.ts';

const KnobChange = z
  .strictObject({
    rut: rut.optional(),
    period: period.optional(),
    movements: z.int().min(0).max(100_000).optional(),
    /** Resets the fault counters, login counts and locks of `rut`, or those of all logins. */
    reset: atOnce,
    expireSessions: atOnce,
    latencyMs,
    downloadIntervalMs: z.int().min(0).max(600_000).optional(),
    emptyAsPage: z.boolean().optional(),
    closeDelayMonths: z.int().min(0).max(24).optional(),
    nightlyMaintenance: z.boolean().optional(),
    expiredAnswer: z.enum(['form', 'redirect']).optional(),
    lockAfter: z.int().min(0).max(100).optional(),
  })
  .refine(({ rut: who, movements }) => movements === undefined || who !== undefined, 'movements needs rut');

export const defineDoors = (state: State): Doors<z.infer<typeof KnobChange>> => ({
  query: RutQuery,
  change: KnobChange,
  knobs: state.knobs,
  apply: ({ rut: who, period: month, movements, reset, expireSessions }) => {
    if (who !== undefined && movements !== undefined) state.book.setMovements(who, month ?? null, movements);
    if (expireSessions) state.sessions.expireAll(who);
    if (reset) forgetCounts([state.logins, state.wrong, state.calls], who);
  },
});
