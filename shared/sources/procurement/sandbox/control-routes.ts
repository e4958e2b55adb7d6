/** The sandbox's own doors, which the portal does not have: ledger, call counts, knobs. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { ledgerOf } from './ledger.ts';
import type { State } from './state.ts';

const LoginQuery = z.strictObject({ login: z.string().min(1).max(128), period: z.string().max(7).optional() });

const KnobChange = z.strictObject({
  /** Counters of `ticket` (or of all) begin anew. */
  ticket: z.string().optional(),
  reset: z.literal(true).optional(),
  expireTokens: z.literal(true).optional(),
  latencyMs: z.int().min(0).max(600_000).optional(),
  quota: z.int().min(0).optional(),
  busyStatus: z.literal([0, 200, 429, 500]).optional(),
  tokenMs: z.int().min(0).optional(),
});

export const applyKnobs = (state: State, change: z.infer<typeof KnobChange>): void => {
  const { ticket, reset, expireTokens, ...knobs } = change;
  if (expireTokens) state.tokens.expire();
  if (reset) {
    const unit = ticket === undefined ? undefined : state.byTicket.get(ticket)?.unit;
    ticket === undefined ? state.apiCalls.clear() : state.apiCalls.delete(ticket);
    unit === undefined ? state.expired.clear() : state.expired.delete(String(unit));
  }
  Object.assign(state.knobs, Object.fromEntries(Object.entries(knobs).filter(([, value]) => value !== undefined)));
};

export const registerControlRoutes = (app: FastifyInstance, state: State): void => {
  app.get('/_sandbox/ledger', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    return reply.send(ledgerOf(state, query.data.login));
  });
  // There is no login on this wire: calls of the ticket, and one session for whoever ever called.
  app.get('/_sandbox/logins', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    return reply.send({ logins: state.apiCalls.get(query.data.login) ?? 0, sessions: 0 });
  });
  app.post('/_sandbox/knobs', (request, reply) => {
    const change = KnobChange.safeParse(request.body);
    if (!change.success) return reply.code(400).send({ error: z.prettifyError(change.error) });
    applyKnobs(state, change.data);
    return reply.send({ knobs: state.knobs });
  });
};
