/** What a sync request asks for, checked against the connection and its scopes (decisions.md §5). Pure. */
import * as z from 'zod';
import type { Connection } from '#shared/domain/connection.ts';
import { addMonths } from '#shared/domain/dates.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { PERIODS_MAX, type ScopeDefinition } from '#shared/scopes/scope.ts';
import { ApiError } from './errors.ts';
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

/** Union of the scopes' schemas: a key that belongs to none of them is refused, every value by its own scope's rule. */
const unionOf = (scopes: readonly ScopeDefinition[]): z.ZodObject =>
  z.strictObject(Object.assign({}, ...scopes.map((scope) => scope.syncMetadata.shape)));

const monthsBetween = (first: string, last: string): boolean => addMonths(first, PERIODS_MAX - 1) >= last;

export const metadataToSync = (
  scopes: readonly ScopeDefinition[],
  metadata: Record<string, unknown> | undefined,
): Record<string, unknown> => {
  if (metadata === undefined) return {};
  if (Buffer.byteLength(JSON.stringify(metadata)) > LIMITS.syncMetadataBytesMax)
    refuseMetadata(`metadata must be at most ${LIMITS.syncMetadataBytesMax} bytes`);
  const judged = judge(unionOf(scopes), metadata, { at: ['metadata'] });
  if (judged.finding !== undefined) return refuseMetadata(judged.finding);
  const { from_period: from, to_period: to, periods } = judged.data as Record<string, string | string[] | undefined>;
  if ((from === undefined) !== (to === undefined)) refuseMetadata('metadata.from_period and to_period go together');
  if (from !== undefined && periods !== undefined)
    refuseMetadata('metadata takes either periods or from_period and to_period');
  if (typeof from === 'string' && typeof to === 'string') {
    if (from > to) refuseMetadata('metadata.from_period must not be after to_period');
    if (!monthsBetween(from, to)) refuseMetadata(`metadata must span at most ${PERIODS_MAX} months`);
  }
  return metadata;
};
