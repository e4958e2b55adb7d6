import * as connections from '#shared/connections/connection.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { metadataToSync, refuseUnbegun, scopesToSync } from '#shared/http/request/sync-input.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { rateLimitHeaders, refuseSpent } from '#shared/http/response/rate-limit.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { countSyncStart } from '#shared/sync/run/start-throttle.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import { santiagoDay } from '#shared/values/dates.ts';
import { contract } from './contract.ts';

const OPEN_RUNS_RETRY_SECONDS = 60;

const POLICY = 'sync-starts';

const tooMany = (message: string, retryAfterSeconds: number, headers: Record<string, string>): ApiError =>
  new ApiError('rate_limited', message, { headers: { ...headers, 'retry-after': String(retryAfterSeconds) } });

/** Returns the error response for a write that the table refused. */
const refusal = (error: unknown, headers: Record<string, string>): unknown => {
  if (error instanceof runs.TooManyOpenRuns)
    return tooMany('This connection has too many unfinished syncs.', OPEN_RUNS_RETRY_SECONDS, headers);
  if (error instanceof connections.ConnectionGone) return notFound('connection_not_found');
  return refuseSpent(error, POLICY, 'Too many syncs were started this minute.');
};

export const handler = endpoint(contract, async ({ caller, params, body, newId }) => {
  const connection = await connections.find(caller.organizationId, params.id);
  if (!connection) throw notFound('connection_not_found');
  if (connection.status === 'disabled') throw new ConflictError('connection_disabled');
  const scopes = scopesToSync(connection, body.scopes);
  const definitions = SCOPES.filter(({ source, name }) => source === connection.source && scopes.includes(name));
  const inputMetadata = metadataToSync(definitions, body.metadata);
  refuseUnbegun(inputMetadata, santiagoDay(nowMs()));
  const runId = newId();
  let headers: Record<string, string> = {};
  try {
    headers = rateLimitHeaders(POLICY, await countSyncStart(caller.organizationId));
    await startRun(connection, { runId, scopes, inputMetadata, trigger: 'manual' });
  } catch (error) {
    // An earlier request with the same Idempotency-Key was interrupted after it wrote the run; this request returns
    // that run.
    if (!(error instanceof runs.RunExists)) throw refusal(error, headers);
  }
  return { status: 202, body: { sync_id: runId, connection_id: connection.id, scopes, status: 'queued' }, headers };
});
