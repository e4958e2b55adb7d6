import * as connections from '#shared/connections/connection.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toSyncRun } from '#shared/http/views/sync-run.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params }) => {
  if (!(await connections.find(caller.organizationId, params.id))) throw notFound('connection_not_found');
  const run = await cancelRun(caller.organizationId, params.id, params.runId);
  if (!run) throw notFound('sync_run_not_found');
  return { status: 200, body: { data: toSyncRun(run, undefined) } };
});
