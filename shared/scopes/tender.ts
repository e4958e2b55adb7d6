/** Parts that the four scopes of public procurement share. Source: procurement.md §2.5 (codes) and §5 (mapping). */
import * as z from 'zod';
import { day, text } from '#shared/values/fields.ts';
import { hint } from '#shared/values/hint.ts';
import { listOrRange, page, type ScopeDefinition } from './scope.ts';

/** The known states of the portal. `estado` may contain other states. */
export const TENDER_STATES = ['publicada', 'cerrada', 'desierta', 'adjudicada', 'revocada', 'suspendida'] as const;

/** States in which a tender no longer changes. */
export const FINAL_STATES: readonly unknown[] = ['desierta', 'adjudicada', 'revocada'];

export const CODIGOS_MAX = 500;
export const DAYS_MAX = 7;

/**
 * Pattern of a tender code in upper case, as stored. It is wider than the portal's own pattern, so that codes of new
 * types of tender are accepted. The limit of 32 characters is longer than any code of the portal and short enough for a
 * key.
 */
export const CODIGO_PATTERN = /^[A-Z0-9][A-Z0-9-]{0,31}$/;

export const codigo = () =>
  z.string().regex(CODIGO_PATTERN, 'must be a tender code').describe('Code of the tender, e.g. 1509-5-L114.');

/** Returns the schema of any JSON object of the source. */
export const opaque = () => z.record(z.string(), z.unknown());

export const nullableText = () => text().nullable();

/** `metadata` of a sync: either codes or days. The validation of the request refuses codes together with days. */
export const tenderSyncMetadata = z
  .strictObject({
    codigos: z
      .array(
        z
          .string()
          .regex(/^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/, 'must be a tender code')
          .describe('Tender code, upper or lower case.'),
      )
      .min(1)
      .max(CODIGOS_MAX)
      .optional()
      .describe('Tenders to synchronize.')
      .meta(hint('codes.this-sync')),
    from: day().optional().describe('First day of publication; needs to.').meta(hint('days.first')),
    to: day()
      .optional()
      .describe(`Last day of publication, at most ${DAYS_MAX} days in all; needs from.`)
      .meta(hint('days.max', DAYS_MAX)),
  })
  .meta(listOrRange('codigos', 'from', 'to'));

/**
 * Properties that all tender scopes share. A tender is requested by its code: the path contains no connection, and
 * there is no filter by month or day.
 */
export const TENDER_SCOPE = {
  source: 'procurement',
  resource: null,
  periodic: false,
  fullRow: null,
  eventDay: () => null,
  eventInstant: () => null,
  facets: {},
  filters: z.strictObject(page),
  syncMetadata: tenderSyncMetadata,
  /** Only API keys may read public procurement (decisions.md §2). */
  agent: null,
  document: null,
} satisfies Partial<ScopeDefinition>;
