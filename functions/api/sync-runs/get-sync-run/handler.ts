import * as connections from '#shared/connections/connection.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toSyncRunWithInput } from '#shared/http/views/sync-run.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params }) => {
  const { organizationId } = caller;
  const [connection, run] = await Promise.all([
    connections.find(organizationId, params.id),
    runs.find(organizationId, params.id, params.runId),
  ]);
  if (!connection) throw notFound('connection_not_found');
  if (!run) throw notFound('sync_run_not_found');
  const progresses = await runs.findProgresses(organizationId, params.id, run.finishedAt === null ? [run.id] : []);
  return { status: 200, body: { data: toSyncRunWithInput(run, progresses.get(run.id)) } };
});
