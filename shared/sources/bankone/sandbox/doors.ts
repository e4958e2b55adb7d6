/** The sandbox's control endpoints: what they change and return. */
import * as z from 'zod';
import { atOnce, type Doors, forgetCounts, latencyMs, RutQuery, rut } from '../../sandbox-kit/doors.ts';
import { findCompany } from './credentials.ts';
import type { State } from './state.ts';

const KnobChange = z
  .strictObject({
    rut: rut.optional(),
    /** Resets the fault counters of `rut`, or all fault counters. */
    reset: atOnce,
    expireSessions: atOnce,
    /** Creates this number of movements now on the first account of `rut`. */
    arrive: z.int().min(1).max(1_000).optional(),
    latencyMs,
    requestsPerMinute: z.int().min(0).optional(),
    retryAfterSeconds: z.int().min(0).max(3_600).optional(),
    nightlyMaintenance: z.boolean().optional(),
    sessionEnd: z.enum(['rotate', 'json', 'redirect', 'page']).optional(),
  })
  .refine(({ rut: who, arrive }) => arrive === undefined || who !== undefined, 'arrive needs rut');

/** Returns the company that a login reads; the ledger of the login is the ledger of this company. */
export const companyBy = (state: State, login: string): string => {
  const account = state.accounts.get(login);
  return account ? findCompany(account) : login;
};

export const defineDoors = (state: State): Doors<z.infer<typeof KnobChange>> => ({
  query: RutQuery,
  change: KnobChange,
  knobs: state.knobs,
  apply: ({ rut: who, reset, expireSessions, arrive }) => {
    if (expireSessions) state.sessions.expireAll(who);
    if (reset) forgetCounts([state.logins, state.dataCalls, state.failures], who);
    const [account] = who === undefined ? [] : state.books.accountsOf(companyBy(state, who));
    if (account !== undefined && arrive !== undefined) state.books.arrive(account, arrive);
  },
});
