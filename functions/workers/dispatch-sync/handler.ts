/**
 * Trigger: `sync-requests`. A queued run begins and each of its scopes gets a message; a firing of a schedule makes its
 * run first. A stale or doubled message does nothing.
 */

import { SyncRequest } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { startScheduledRun } from '#shared/sync/scheduled-run.ts';
import { dispatchRun } from '#shared/sync/start-run.ts';

export const handler = worker('dispatch-sync', SyncRequest, async (message) => {
  if (message.kind === 'run') return dispatchRun(message.organizationId, message.connectionId, message.runId);
  return startScheduledRun(message);
});
