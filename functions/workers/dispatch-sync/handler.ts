/**
 * Trigger: `sync-requests`. Starts a queued run and sends a message for each of its scopes. For a message from a
 * schedule, the worker first creates the run. A stale or duplicate message has no effect.
 */

import { SyncRequest } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';
import { startScheduledRun } from '#shared/sync/scheduled-run.ts';
import { dispatchRun } from '#shared/sync/start-run.ts';

export const handler = worker('dispatch-sync', SyncRequest, async (message) => {
  if (message.kind === 'run') return dispatchRun(message.organizationId, message.connectionId, message.runId);
  return startScheduledRun(message);
});
