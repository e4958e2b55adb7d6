import * as connections from '#shared/connections/connection.store.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { notFound } from '#shared/http/response/errors.ts';
import { toSyncRun } from '#shared/http/views/sync-run.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { contract } from './contract.ts';

export const handler = endpoint(contract, async ({ caller, params }) => {
  const { organizationId } = caller;
  const [connection, newest] = await Promise.all([
    connections.find(organizationId, params.id),
    runs.listNewest(organizationId, params.id, SYNC_LIMITS.runsListed),
  ]);
  if (!connection) throw notFound('connection_not_found');
  const open = newest.filter((run) => run.finishedAt === null).map((run) => run.id);
  const progresses = await runs.findProgresses(organizationId, params.id, open);
  return { status: 200, body: { data: newest.map((run) => toSyncRun(run, progresses.get(run.id))) } };
});
