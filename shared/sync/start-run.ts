/** Starts a run. Runs of a schedule start in `scheduled-run.ts`. */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { send, sendTask } from '#shared/messaging/send.ts';
import { nowIso } from '#shared/platform/clock.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { describeStart, startDelayMs } from '#shared/sync/task/task-start.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { SyncRun } from './run.rules.ts';

export interface RunRequest {
  runId: string;
  scopes: string[];
  inputMetadata: Record<string, unknown>;
  trigger: 'manual' | 'schedule';
}

export const queuedRun = (connection: Connection, request: RunRequest): SyncRun => ({
  id: request.runId,
  organizationId: connection.organizationId,
  connectionId: connection.id,
  source: connection.source,
  trigger: request.trigger,
  status: 'queued',
  scopes: request.scopes,
  outcomes: {},
  inputMetadata: request.inputMetadata,
  version: 1,
  createdAt: nowIso(),
  startedAt: null,
  finishedAt: null,
  cancelledAt: null,
  errorCode: null,
  errorMessage: null,
  login: null,
});

/** Starts a run with one transaction and one message. If the message is lost, the sweeper sends it again. */
export const startRun = async (connection: Connection, request: RunRequest): Promise<SyncRun> => {
  const run = queuedRun(connection, request);
  await runs.create(run);
  await enqueueRun(run);
  return run;
};

export const enqueueRun = async (run: Pick<SyncRun, 'organizationId' | 'connectionId' | 'id'>): Promise<void> =>
  send('sync-requests', {
    kind: 'run',
    organizationId: run.organizationId,
    connectionId: run.connectionId,
    runId: run.id,
  });

/**
 * Moves a run from `queued` to `running` and sends the message of its first scope. The scopes of a run use one session
 * one after another, because a run makes few logins. A repeated call sends nothing.
 */
export const dispatchRun = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
): Promise<void> => {
  const before = await runs.find(organizationId, connectionId, runId);
  if (before?.status !== 'queued') return;
  const waiting = before.scopes.slice(1);
  const run = await runs.start(before, nowIso(), waiting);
  if (run?.status !== 'running') return;
  const delaySeconds = startDelayMs(describeStart(run)) / 1000;
  await Promise.all(
    run.scopes
      .filter((scope) => !waiting.includes(scope))
      .map((scope) => {
        const message = { kind: 'work', organizationId, connectionId, runId, scope, generation: 1 } as const;
        return sendTask(run.source, scope, message, { delaySeconds });
      }),
  );
};
