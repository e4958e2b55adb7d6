/** The sandbox's control endpoints: what they change and return. */
import * as z from 'zod';
import { atOnce, type Doors, forgetCounts, latencyMs } from '../../sandbox-kit/doors.ts';
import type { State } from './state.ts';

const KnobChange = z.strictObject({
  /** Ticket whose counters are reset; absent for all tickets. */
  ticket: z.string().optional(),
  reset: atOnce,
  expireTokens: atOnce,
  latencyMs,
  quota: z.int().min(0).optional(),
  busyStatus: z.literal([0, 200, 429, 500]).optional(),
  tokenMs: z.int().min(0).optional(),
});

export const defineDoors = (state: State): Doors<z.infer<typeof KnobChange>> => ({
  query: z.strictObject({ login: z.string().min(1).max(128), period: z.string().max(7).optional() }),
  change: KnobChange,
  knobs: state.knobs,
  apply: ({ ticket, reset, expireTokens }) => {
    if (expireTokens) state.tokens.expire();
    if (!reset) return;
    const unit = ticket === undefined ? undefined : state.byTicket.get(ticket)?.unit;
    forgetCounts([state.apiCalls], ticket);
    forgetCounts([state.expired], unit === undefined ? undefined : String(unit));
  },
});
