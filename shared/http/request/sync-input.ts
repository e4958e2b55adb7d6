/** Validates a sync request against the connection and its scopes (decisions.md §5). Pure. */
import * as z from 'zod';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { PERIODS_MAX, type ScopeDefinition } from '#shared/scopes/scope.ts';
import { DAYS_MAX } from '#shared/scopes/tender.ts';
import { addMonths, DAY_MS } from '#shared/values/dates.ts';
import { dropAbsentNulls } from './absent-nulls.ts';
import { judge } from './issues.ts';

const refuseScopes = (message: string): never => {
  throw new ApiError('sync_invalid_scopes', message);
};
const refuseMetadata = (message: string): never => {
  throw new ApiError('sync_invalid_metadata', message);
};

export const scopesToSync = (connection: Connection, asked: readonly string[] | null | undefined): string[] => {
  if (asked === null || asked === undefined) return connection.enabledScopes;
  if (asked.length === 0) refuseScopes('scopes must name at least one scope; leave it out for all enabled ones');
  if (new Set(asked).size !== asked.length) refuseScopes('scopes must not repeat a scope');
  if (!asked.every((scope) => connection.enabledScopes.includes(scope)))
    refuseScopes(`scopes must be enabled on this connection: ${connection.enabledScopes.join(', ')}`);
  return [...asked];
};

/**
 * Returns the union of the scopes' schemas. A key that belongs to no scope is refused; every value is validated by its
 * own scope.
 */
const unionOf = (scopes: readonly ScopeDefinition[]): z.ZodObject =>
  z.strictObject(Object.assign({}, ...scopes.map((scope) => scope.syncMetadata.shape)));

/**
 * Two ways to request units: a list of units, or the first and the last unit of a range. Units are periods in most
 * scopes, and tenders or days in procurement.
 */
interface Range {
  list: string;
  from: string;
  to: string;
  /** Returns the last unit of the longest allowed range that starts at `first`. */
  lastOf(first: string): string;
  longest: string;
  /** Word for the units, for messages. */
  units: 'periods' | 'days';
}

const RANGES: readonly Range[] = [
  {
    list: 'periods',
    from: 'from_period',
    to: 'to_period',
    lastOf: (first) => addMonths(first, PERIODS_MAX - 1),
    longest: `${PERIODS_MAX} months`,
    units: 'periods',
  },
  {
    list: 'codigos',
    from: 'from',
    to: 'to',
    lastOf: (first) => new Date(Date.parse(first) + (DAYS_MAX - 1) * DAY_MS).toISOString().slice(0, 10),
    longest: `${DAYS_MAX} days`,
    units: 'days',
  },
];

/** Properties of `metadata` that clients often send at the top level of the body by mistake. */
export const SYNC_METADATA_HINTS: Readonly<Record<string, string>> = Object.fromEntries(
  RANGES.flatMap(({ list, from, to }) => [list, from, to].map((name) => [name, 'metadata'])),
);

/**
 * Refuses a range that breaks a rule over several properties, because a schema of single properties cannot express such
 * rules.
 */
const refuseRange = (metadata: Record<string, unknown>, range: Range): void => {
  const { [range.list]: list, [range.from]: from, [range.to]: to } = metadata;
  if ((from === undefined) !== (to === undefined)) refuseMetadata(`metadata.${range.from} and ${range.to} go together`);
  if (typeof from !== 'string' || typeof to !== 'string') return;
  if (list !== undefined) refuseMetadata(`metadata takes either ${range.list} or ${range.from} and ${range.to}`);
  if (from > to) refuseMetadata(`metadata.${range.from} must not be after ${range.to}`);
  if (range.lastOf(from) < to) refuseMetadata(`metadata must span at most ${range.longest}`);
};

/**
 * Refuses a sync that asks only for months or days that have not begun: it would read nothing and end `succeeded`.
 *
 * @param today day in Santiago
 */
export const refuseUnbegun = (metadata: Readonly<Record<string, unknown>>, today: string): void => {
  for (const { from, units } of RANGES) {
    const [first] =
      units === 'periods' && Array.isArray(metadata.periods) ? [...metadata.periods].sort() : [metadata[from]];
    if (typeof first !== 'string') continue;
    const current = today.slice(0, first.length);
    if (first > current)
      refuseMetadata(`metadata asks only for ${units} that have not begun (now ${current}, America/Santiago)`);
  }
};

export const metadataToSync = (
  scopes: readonly ScopeDefinition[],
  metadata: Record<string, unknown> | null | undefined,
): Record<string, unknown> => {
  if (metadata === undefined || metadata === null) return {};
  if (Buffer.byteLength(JSON.stringify(metadata)) > HTTP_LIMITS.syncMetadataBytesMax)
    refuseMetadata(`metadata must be at most ${HTTP_LIMITS.syncMetadataBytesMax} bytes`);
  const union = unionOf(scopes);
  const asked = dropAbsentNulls(union, metadata);
  const judged = judge(union, asked, { at: ['metadata'] });
  if (judged.finding !== undefined) return refuseMetadata(judged.finding);
  for (const range of RANGES) refuseRange(judged.data, range);
  return asked;
};
