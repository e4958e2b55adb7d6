/** The sandbox's control endpoints: what they change and return. */
import * as z from 'zod';
import { atOnce, type Doors, forgetCounts, latencyMs, period, RutQuery, rut } from '../../sandbox-kit/doors.ts';
import { companyBy } from './credentials.ts';
import type { State } from './state.ts';

const KnobChange = z
  .strictObject({
    rut: rut.optional(),
    period: period.optional(),
    documents: z.int().min(0).max(100_000).optional(),
    guides: z.int().min(0).max(20_000).optional(),
    move: z.int().min(1).max(100_000).optional(),
    /** Resets the fault counters of `rut`, or all fault counters. */
    reset: atOnce,
    expireSessions: atOnce,
    directLimit: z.int().min(0).optional(),
    excessTotal: z.int().min(0).optional(),
    sessionCap: z.int().min(0).optional(),
    asyncDelayMs: z.int().min(0).optional(),
    latencyMs,
    charset: z.enum(['utf-8', 'iso-8859-1']).optional(),
    cookieAttributes: z.string().max(200).optional(),
    loginRedirects: z.boolean().optional(),
  })
  .refine(
    ({ rut: who, documents, guides }) => who !== undefined || (documents ?? guides) === undefined,
    'documents and guides need rut',
  )
  .refine(({ rut: who, period: month, move }) => move === undefined || (who && month), 'move needs rut and period');

type TaxKnobChange = z.infer<typeof KnobChange>;

export const defineDoors = (state: State): Doors<TaxKnobChange> => ({
  query: RutQuery,
  change: KnobChange,
  knobs: state.knobs,
  apply: ({ rut: who, period: month, documents, guides, move, reset, expireSessions }) => {
    if (expireSessions) state.sessions.expireAll(who);
    if (reset) forgetCounts([state.logins, state.dataCalls], who);
    if (who === undefined) return;
    const company = companyBy(state.accounts, who);
    if (documents !== undefined) state.register.setDocuments(company, month ?? null, documents);
    if (guides !== undefined) state.guides.setGuides(company, month ?? null, guides);
    if (month !== undefined && move !== undefined) state.register.move(company, month, move);
  },
});
