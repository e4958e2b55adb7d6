/** The sandbox's own doors, which the bank does not have: ledger, login counts, knobs. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { PERIOD_PATTERN } from '#shared/values/fields.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { companyOf } from './credentials.ts';
import { ledgerOf } from './ledger.ts';
import type { State } from './state.ts';

const rut = z
  .string()
  .transform((value) => normalizeRut(value) ?? '')
  .refine((value) => value !== '', 'must be a RUT');

const KnobChange = z
  .strictObject({
    rut: rut.optional(),
    /** Fault counters of `rut` (or of all) begin anew. */
    reset: z.literal(true).optional(),
    expireSessions: z.literal(true).optional(),
    /** So many movements happen now on the first account of `rut`. */
    arrive: z.int().min(1).max(1_000).optional(),
    latencyMs: z.int().min(0).max(600_000).optional(),
    requestsPerMinute: z.int().min(0).optional(),
    retryAfterSeconds: z.int().min(0).max(3_600).optional(),
    nightlyMaintenance: z.boolean().optional(),
    sessionEnd: z.enum(['rotate', 'json', 'redirect', 'page']).optional(),
  })
  .refine(({ rut: who, arrive }) => arrive === undefined || who !== undefined, 'arrive needs rut');

const LoginQuery = z.strictObject({ login: rut, period: z.string().regex(PERIOD_PATTERN).optional() });

/** Answers for a login are those of the company it reads. */
export const companyBy = (state: State, login: string): string => {
  const account = state.accounts.get(login);
  return account ? companyOf(account) : login;
};

export const applyKnobs = (state: State, change: z.infer<typeof KnobChange>): void => {
  const { rut: who, reset, expireSessions, arrive, ...knobs } = change;
  if (expireSessions) state.sessions.expireAll(who);
  const [account] = who === undefined ? [] : state.books.accountsOf(companyBy(state, who));
  if (account !== undefined && arrive !== undefined) state.books.arrive(account, arrive);
  if (reset) {
    for (const counts of [state.logins, state.dataCalls, state.failures])
      who === undefined ? counts.clear() : counts.delete(who);
  }
  Object.assign(state.knobs, Object.fromEntries(Object.entries(knobs).filter(([, value]) => value !== undefined)));
};

export const registerControlRoutes = (app: FastifyInstance, state: State): void => {
  app.get('/_sandbox/ledger', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    return reply.send(ledgerOf(state, companyBy(state, query.data.login), query.data.period));
  });
  app.get('/_sandbox/logins', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    const { login } = query.data;
    return reply.send({ logins: state.logins.get(login) ?? 0, sessions: state.sessions.count(login) });
  });
  app.post('/_sandbox/knobs', (request, reply) => {
    const change = KnobChange.safeParse(request.body);
    if (!change.success) return reply.code(400).send({ error: z.prettifyError(change.error) });
    applyKnobs(state, change.data);
    return reply.send({ knobs: state.knobs });
  });
};
