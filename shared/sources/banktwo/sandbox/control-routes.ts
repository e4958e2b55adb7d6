/** The sandbox's own doors, which the institution does not have: ledger, token calls, knobs. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { day, period } from '#shared/values/fields.ts';
import { ledgerOf } from './ledger.ts';
import type { State } from './state.ts';

const KnobChange = z
  .strictObject({
    /** A client id. */
    login: z.string().optional(),
    period: period().optional(),
    /** Movements a month of the first account. */
    movements: z.int().min(0).max(100_000).optional(),
    /** So many movements arrive now, booked on `day`. */
    late: z.int().min(1).max(1_000).optional(),
    day: day().optional(),
    /** Fault counters of `login` (or of all) begin anew. */
    reset: z.literal(true).optional(),
    revokeTokens: z.literal(true).optional(),
    expireCursors: z.literal(true).optional(),
    latencyMs: z.int().min(0).max(600_000).optional(),
    requestsPerMinute: z.int().min(0).optional(),
    tokensPerMinute: z.int().min(0).optional(),
    parallelMax: z.int().min(1).optional(),
    tokenSeconds: z.int().min(1).max(86_400).optional(),
  })
  .refine(({ login, movements }) => movements === undefined || login !== undefined, 'movements needs login')
  .refine(({ login, late, day: on }) => late === undefined || (login && on), 'late needs login and day');

const LoginQuery = z.strictObject({ login: z.string().min(1), period: period().optional() });

const forget = (counts: Map<string, unknown>, login: string | undefined): void => {
  for (const key of counts.keys()) if (login === undefined || key.split('|').includes(login)) counts.delete(key);
};

/** False: there is no such client. */
const applyKnobs = (state: State, change: z.infer<typeof KnobChange>): boolean => {
  const { login, period: month, movements, late, day: on, reset, revokeTokens, expireCursors, ...knobs } = change;
  const client = login === undefined ? undefined : state.clients.get(login);
  if (login !== undefined && !client) return false;
  if (client && movements !== undefined) state.book.setMovements(client, month ?? null, movements);
  if (client && late !== undefined && on !== undefined) state.book.bookLate(client, on, late);
  if (revokeTokens) state.tokens.revokeAll(login);
  if (expireCursors) state.cursors.expireAll();
  if (reset) for (const counts of [state.logins, state.dataCalls, state.minutes]) forget(counts, login);
  Object.assign(state.knobs, Object.fromEntries(Object.entries(knobs).filter(([, value]) => value !== undefined)));
  return true;
};

export const registerControlRoutes = (app: FastifyInstance, state: State): void => {
  app.get('/_sandbox/ledger', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    const client = state.clients.get(query.data.login);
    if (!client) return reply.code(404).send({ error: 'no such client' });
    return reply.send(ledgerOf(state, client, query.data.period));
  });
  app.get('/_sandbox/logins', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    const { login } = query.data;
    return reply.send({ logins: state.logins.get(login) ?? 0, sessions: state.tokens.count(login) });
  });
  app.post('/_sandbox/knobs', (request, reply) => {
    const change = KnobChange.safeParse(request.body);
    if (!change.success) return reply.code(400).send({ error: z.prettifyError(change.error) });
    if (!applyKnobs(state, change.data)) return reply.code(400).send({ error: 'no such client' });
    return reply.send({ knobs: state.knobs });
  });
};
