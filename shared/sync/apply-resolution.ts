/** Applies the result of an attempt: hands the task over, makes the task wait, schedules a retry, or ends the scope. */

import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { record } from '#shared/platform/metrics.ts';
import { dirtyPeriods } from '#shared/rows/index/page-index.store.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { endScope } from '#shared/sync/end/finish-run.ts';
import * as sessions from '#shared/sync/login/source-session.store.ts';
import { beginWaiting, mayGoOn, wakeAfter, wakeForLease } from '#shared/sync/login/wake-waiters.ts';
import { enqueueTask } from '#shared/sync/task/enqueue-task.ts';
import { reserveForRun } from '#shared/sync/task/may-take.ts';
import { readEpoch, type SyncTask } from '#shared/sync/task/task.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import * as waiters from '#shared/sync/task/waiter.store.ts';
import { type Lease, release } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import type { Resolution } from './task-failure.ts';

export interface ClaimedTask {
  scope: ScopeDefinition;
  lease: Lease;
  /** The current task. Every checkpoint replaces it. */
  task: SyncTask;
  /** True if an earlier attempt began the reading that this attempt continues. */
  isResumed: boolean;
}

export const applyResolution = (attempt: ClaimedTask, resolution: Resolution): Promise<void> => {
  switch (resolution.kind) {
    case 'clean-up':
      return cleanUp(attempt);
    case 'hand-over':
      return requeue(attempt, handedOver(resolution), resolution.delayMs);
    case 'rest':
      return rest(attempt, resolution.untilMs);
    case 'await-login':
      return waitForVerdict(attempt, resolution.login);
    case 'retry':
      return scheduleRetry(attempt, resolution);
    case 'end':
      return endScope(attempt.task, attempt.lease, attempt.scope, resolution.failure);
  }
};

const handedOver = ({ runsAlone }: Extract<Resolution, { kind: 'hand-over' }>): Partial<SyncTask> => ({
  state: 'handover',
  ...(runsAlone ? { runsAlone } : {}),
});

/**
 * Releases lease and slot, which stays reserved for the run, and sends the task's message again. If the task is due
 * later, wakes the tasks that wait for the lease or the slot.
 */
const requeue = async (attempt: ClaimedTask, changes: Partial<SyncTask>, delayMs: number): Promise<void> => {
  const { task, lease } = attempt;
  const generation = task.generation + 1;
  await table.transact([
    tasks.taskChange(
      task,
      { ...changes, generation, stateChangedAtMs: nowMs() + delayMs },
      delayMs + MESSAGING_LIMITS.messageGraceMs,
    ),
    ...release(lease, reserveForRun()),
  ]);
  await enqueueTask({ ...task, generation }, delayMs);
  if (delayMs > 0) await wakeAfter(lease, task.runId);
};

/** Releases the slot as rate-limited until `untilMs`, so that no other task takes it early. The session stays stored. */
const rest = async ({ task, lease }: ClaimedTask, untilMs: number): Promise<void> => {
  const generation = task.generation + 1;
  const delayMs = untilMs - nowMs();
  const change = { state: 'handover', generation, stateChangedAtMs: untilMs } as const;
  await sessions.postpone(lease.organizationId, lease.slot!, untilMs);
  await table.transact([
    tasks.taskChange(task, change, delayMs + MESSAGING_LIMITS.messageGraceMs),
    ...release(lease, { restsUntilMs: untilMs, ...reserveForRun(untilMs) }),
  ]);
  await enqueueTask({ ...task, generation }, delayMs);
  await wakeForLease(lease);
};

const scheduleRetry = async (
  attempt: ClaimedTask,
  { delayMs, failure, refused }: Extract<Resolution, { kind: 'retry' }>,
): Promise<void> => {
  await requeue(
    attempt,
    {
      state: 'waiting',
      lastErrorCode: failure.code,
      lastErrorMessage: failure.message,
      ...(refused === null
        ? {}
        : { reading: readEpoch(attempt.task) + 1, refused: [...attempt.task.refused, refused] }),
    },
    delayMs,
  );
  record('ScopeRetries', 1, { source: attempt.task.source });
};

/** Waits until the login of another scope of the run has a verdict. The wait does not count as an attempt. */
const waitForVerdict = async ({ task, lease }: ClaimedTask, login: string): Promise<void> => {
  const { waiting, items } = beginWaiting(task, { for: 'verdict', login }, { state: 'handover' });
  await table.transact([...items, ...release(lease, reserveForRun())]);
  await wakeAfter(lease, task.runId);
  // The verdict may have arrived before the waiter was stored. In this case no other worker wakes this task, so its
  // message is sent here.
  if (!(await mayGoOn(waiting))) return;
  await waiters.leave(waiting);
  await enqueueTask(waiting, 0);
};

/**
 * Cleans up after the run was cancelled or the worker was superseded. If this worker still holds the lease, it rebuilds
 * the index and releases the lease.
 */
const cleanUp = async ({ lease, scope }: ClaimedTask): Promise<void> => {
  const address = { organizationId: lease.organizationId, connectionId: lease.connectionId, scope: scope.name };
  for (const period of await dirtyPeriods(address)) await reindex(address, scope, period, lease);
  await table.transact(release(lease));
  await wakeAfter(lease, null);
};
