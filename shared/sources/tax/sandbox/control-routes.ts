/** The sandbox's own doors, which the institution does not have: ledger, login counts, knobs. */
import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { PERIOD_PATTERN } from '#shared/values/fields.ts';
import { normalizeRut } from '#shared/values/rut.ts';
import { companyBy } from './credentials.ts';
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
    documents: z.int().min(0).max(100_000).optional(),
    guides: z.int().min(0).max(20_000).optional(),
    move: z.int().min(1).max(100_000).optional(),
    /** Fault counters of `rut` (or of all) begin anew. */
    reset: z.literal(true).optional(),
    expireSessions: z.literal(true).optional(),
    directLimit: z.int().min(0).optional(),
    sessionCap: z.int().min(0).optional(),
    asyncDelayMs: z.int().min(0).optional(),
    latencyMs: z.int().min(0).max(600_000).optional(),
    charset: z.enum(['utf-8', 'iso-8859-1']).optional(),
    cookieAttributes: z.string().max(200).optional(),
    loginRedirects: z.boolean().optional(),
  })
  .refine(
    ({ rut: who, documents, guides }) => who !== undefined || (documents ?? guides) === undefined,
    'documents and guides need rut',
  )
  .refine(({ rut: who, period: month, move }) => move === undefined || (who && month), 'move needs rut and period');

const LoginQuery = z.strictObject({ login: rut, period: period.optional() });

export const applyKnobs = (state: State, change: z.infer<typeof KnobChange>): void => {
  const { rut: who, period: month, documents, guides, move, reset, expireSessions, ...knobs } = change;
  const company = who === undefined ? undefined : companyBy(state.accounts, who);
  if (company !== undefined && documents !== undefined) state.register.setDocuments(company, month ?? null, documents);
  if (company !== undefined && guides !== undefined) state.guides.setGuides(company, month ?? null, guides);
  if (company !== undefined && month !== undefined && move !== undefined) state.register.move(company, month, move);
  if (expireSessions) state.sessions.expireAll(who);
  if (reset) {
    for (const counts of [state.logins, state.dataCalls]) who === undefined ? counts.clear() : counts.delete(who);
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
