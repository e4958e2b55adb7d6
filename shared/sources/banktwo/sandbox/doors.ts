/** The sandbox's control endpoints: what they change and return. */
import * as z from 'zod';
import { day, period } from '#shared/values/fields.ts';
import { atOnce, type Doors, forgetCounts, latencyMs } from '../../sandbox-kit/doors.ts';
import type { State } from './state.ts';

const KnobChange = z
  .strictObject({
    /** Client id to which the change applies. */
    login: z.string().optional(),
    period: period().optional(),
    /** Number of movements per month of the first account. */
    movements: z.int().min(0).max(100_000).optional(),
    /** Adds this number of movements now, booked on `day`. */
    late: z.int().min(1).max(1_000).optional(),
    day: day().optional(),
    /** Resets the fault counters of `login`, or all fault counters. */
    reset: atOnce,
    revokeTokens: atOnce,
    expireCursors: atOnce,
    latencyMs,
    requestsPerMinute: z.int().min(0).optional(),
    tokensPerMinute: z.int().min(0).optional(),
    parallelMax: z.int().min(1).optional(),
    tokenSeconds: z.int().min(1).max(86_400).optional(),
  })
  .refine(({ login, movements }) => movements === undefined || login !== undefined, 'movements needs login')
  .refine(({ login, late, day: on }) => late === undefined || (login && on), 'late needs login and day');

export const defineDoors = (state: State): Doors<z.infer<typeof KnobChange>> => ({
  query: z.strictObject({ login: z.string().min(1), period: period().optional() }),
  change: KnobChange,
  knobs: state.knobs,
  isKnown: (login) => state.clients.has(login),
  apply: ({ login, period: month, movements, late, day: on, reset, revokeTokens, expireCursors }) => {
    const client = state.clients.get(login ?? '');
    if (client && movements !== undefined) state.book.setMovements(client, month ?? null, movements);
    if (client && late !== undefined && on !== undefined) state.book.bookLate(client, on, late);
    if (revokeTokens) state.tokens.expireAll(login);
    if (expireCursors) state.cursors.expireAll();
    if (reset) forgetCounts([state.logins, state.dataCalls, state.minutes], login);
  },
});
