/** The sandbox's own doors, which the institution does not have: ledger, login counts, knobs. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { PERIOD_PATTERN } from '#shared/values/fields.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { ledgerOf } from './ledger.ts';
import type { State } from './state.ts';

const rut = z
  .string()
  .transform((value) => normalizeRut(value) ?? '')
  .refine((value) => value !== '', 'must be a RUT');
const period = z.string().regex(PERIOD_PATTERN);

const KnobChange = z
  .strictObject({
    rut: rut.optional(),
    period: period.optional(),
    movements: z.int().min(0).max(100_000).optional(),
    /** Fault counters, login counts and locks of `rut` (or of all) begin anew. */
    reset: z.literal(true).optional(),
    expireSessions: z.literal(true).optional(),
    latencyMs: z.int().min(0).max(600_000).optional(),
    downloadIntervalMs: z.int().min(0).max(600_000).optional(),
    emptyAsPage: z.boolean().optional(),
    closeDelayMonths: z.int().min(0).max(24).optional(),
    nightlyMaintenance: z.boolean().optional(),
    expiredAnswer: z.enum(['form', 'redirect']).optional(),
    lockAfter: z.int().min(0).max(100).optional(),
  })
  .refine(({ rut: who, movements }) => movements === undefined || who !== undefined, 'movements needs rut');

const LoginQuery = z.strictObject({ login: rut, period: period.optional() });

export const applyKnobs = (state: State, change: z.infer<typeof KnobChange>): void => {
  const { rut: who, period: month, movements, reset, expireSessions, ...knobs } = change;
  if (who !== undefined && movements !== undefined) state.book.setMovements(who, month ?? null, movements);
  if (expireSessions) state.sessions.expireAll(who);
  if (reset) {
    for (const counts of [state.logins, state.wrong, state.calls]) {
      if (who === undefined) counts.clear();
      else counts.delete(who);
    }
  }
  Object.assign(state.knobs, Object.fromEntries(Object.entries(knobs).filter(([, value]) => value !== undefined)));
};

export const registerControlRoutes = (app: FastifyInstance, state: State): void => {
  app.get('/_sandbox/ledger', (request, reply) => {
    const query = LoginQuery.safeParse(request.query);
    if (!query.success) return reply.code(400).send({ error: z.prettifyError(query.error) });
    return reply.send(ledgerOf(state, query.data.login, query.data.period));
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
