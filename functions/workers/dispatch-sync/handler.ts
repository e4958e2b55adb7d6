/** Trigger: `sync-requests`. A queued run begins and each of its scopes gets a message; a stale message does nothing. */
import { dispatchRun } from '#shared/engine/start-run.ts';
import { SyncRequest } from '#shared/messaging/queues.ts';
import { worker } from '#shared/messaging/worker.ts';

export const handler = worker('dispatch-sync', SyncRequest, async (message) => {
  if (message.kind === 'run') await dispatchRun(message.organizationId, message.connectionId, message.runId);
});
