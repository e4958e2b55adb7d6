/**
 * Handles one item past its due time, by its kind. Queue messages are only hints: a run continues after a lost message
 * or a dead worker because its item is due here. Each claim raises the generation (or moves the due time)
 * conditionally, so that two concurrent sweepers do no harm.
 */

import * as connections from '#shared/connections/connection.store.ts';
import { removeOrphanSchedules, settleSchedule } from '#shared/connections/reconcile-schedules.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import type { SlowQueues } from '#shared/messaging/queue-depth.ts';
import { send, sendTask } from '#shared/messaging/send.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import * as pageIndexes from '#shared/rows/index/page-index.store.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { findManifest } from '#shared/sources/find-manifest.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { endScope } from '#shared/sync/end/finish-run.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as kept from '#shared/sync/login/source-session.store.ts';
import { isFirstToGoOn, keepWaiting, type Woken, wakeAfter } from '#shared/sync/login/wake-waiters.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isDone, isTerminal } from '#shared/sync/run.rules.ts';
import { enqueueRun } from '#shared/sync/start-run.ts';
import { enqueueTask } from '#shared/sync/task/enqueue-task.ts';
import { heldUntil, lastFenceLeft, take, takeForRepair } from '#shared/sync/task/lease.store.ts';
import { LeaseTaken } from '#shared/sync/task/may-take.ts';
import { diedInLastAttempt, type SyncTask } from '#shared/sync/task/task.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { msLeft, timedOut } from '#shared/sync/task/task-time.ts';
import { type Due, parseDueKey } from '#shared/table/due-keys.ts';
import type { Key } from '#shared/table/keys.ts';
import { LeaseLost } from '#shared/table/lease.ts';
import { announceLeft, postponeMarks } from '#shared/tenders/tender-changes.store.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { recoverDelivery } from '#shared/webhooks/recover-delivery.ts';
import * as purges from './purge.store.ts';

/** Callbacks through which the handling of a due item reports to the sweep. */
export interface Look {
  woken: Woken;
  isSlow: SlowQueues;
  /** Least time until a waiting item is checked again, in milliseconds. */
  againMs: number;
  /** Reports the time since which the item waits, in epoch milliseconds, if the item contains this time. */
  waits(sinceMs: number): void;
  /** Reports that the item is not late, because it waits for a lease or slot that is held. */
  isInTime(): void;
}

/** This version does not know the item. A newer version may have written it. */
class UnknownKind extends AppError {}

/** @throws UnknownKind, or the error of the handling */
export const recoverItem = async (key: Key, look: Look): Promise<void> => {
  const item = parseDueKey(key);
  switch (item?.kind) {
    case 'run':
      return recoverRun(item.organizationId, item.connectionId, item.runId, look);
    case 'work':
      return recoverTask(item, look);
    case 'delivery':
      return recoverDelivery(item, look.waits);
    case 'session':
      return recoverSession(item.organizationId, item.source, item.login, item.slot);
    case 'period':
      return repairPeriod(item.organizationId, item.connectionId, item.scope, item.period);
    case 'purge':
      return recoverPurge(item.organizationId, item.connectionId);
    case 'tender':
      return announceTenders(item);
    case 'schedule':
      return settleSchedule(item.organizationId, item.connectionId);
    case 'schedule-comparison':
      return removeOrphanSchedules();
    default:
      throw new UnknownKind(`an item of an unknown kind is due: ${key.sk.slice(0, key.sk.indexOf('#'))}`);
  }
};

/** Sends the run's message again if the run was not dispatched. A running run continues through its scopes. */
const recoverRun = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
  look: Look,
): Promise<void> => {
  const run = await runs.find(organizationId, connectionId, runId);
  if (!run || isTerminal(run)) return;
  try {
    await runs.postpone(run, run.status === 'queued' ? MESSAGING_LIMITS.messageGraceMs : SYNC_LIMITS.runCheckMs);
  } catch (error) {
    if (error instanceof runs.RunConflict) return;
    throw error;
  }
  if (run.status === 'queued') {
    look.waits(Date.parse(run.createdAt));
    return enqueueRun(run);
  }
  // An hour or more after its start.
  const open = run.scopes.filter((scope) => !isDone(run.outcomes[scope]));
  log.warn('a run is still under way', { run_id: runId, connection_id: connectionId, count: open.length });
};

/**
 * Sends the task's message again, or ends the task after its fourth attempt. The task is due because a worker died, a
 * message or a wake-up was lost, or a wait is over.
 */
const recoverTask = async (
  { organizationId, connectionId, runId, scope: scopeName }: Extract<Due, { kind: 'work' }>,
  look: Look,
): Promise<void> => {
  const task = await tasks.find(organizationId, connectionId, runId, scopeName);
  const run = await runs.find(organizationId, connectionId, runId);
  if (!task || task.state === 'ended' || !run) return;
  const isOver =
    isTerminal(run) ||
    isDone(run.outcomes[scopeName]) ||
    diedInLastAttempt(task, SYNC_LIMITS.scopeAttemptsMax) ||
    timedOut(task) !== null ||
    !isSynchronized(task);
  try {
    if (!isOver && task.waitsFor !== null && !(await isFirstToGoOn(task, look.woken))) {
      look.isInTime();
      return await keepWaiting(task, look.againMs);
    }
    const untilMs = task.state === 'working' ? await heldUntil(task) : null;
    if (untilMs !== null) {
      // The due entry was early. The task's worker may still live, and no other worker gets the lease before `untilMs`.
      look.isInTime();
      return void (await tasks.move(task, {}, untilMs - nowMs()));
    }
    look.waits(task.stateChangedAtMs);
    if (isOver) return await closeDeadScope(task);
    // The generation stays the same: the queue may only be slow, and a reminder must not make the earlier message
    // stale. The first message that arrives takes the lease and so raises the generation.
    await enqueueTask(await tasks.move(task, {}, await reminderMs(task, look.isSlow)), 0);
  } catch (error) {
    // Another worker was faster, or the dead worker's lease has a few seconds left. The task stays due.
    if (!(error instanceof tasks.TaskConflict || error instanceof LeaseTaken || error instanceof LeaseLost))
      throw error;
  }
};

/**
 * Returns the delay until the next reminder. The delay grows so that reminders do not make a long queue longer, but
 * stays short after a lost message and near the scope's time limit. The delay is a whole number of sweeps, since
 * nothing is checked between sweeps.
 */
const reminderMs = async (task: SyncTask, isSlow: SlowQueues): Promise<number> => {
  if (await isSlow(task.source, task.scope)) return Math.min(RECOVERY_LIMITS.slowReminderMs, msLeft(task));
  // A sweep takes time, so a task that became due just after one sweep is not counted as two sweeps late at the next.
  const sinceMs = nowMs() - task.stateChangedAtMs - SYNC_LIMITS.sweepMarginMs;
  const sweepsSince = Math.floor(sinceMs / RECOVERY_LIMITS.sweepEveryMs);
  const sweeps = Math.min(RECOVERY_LIMITS.reminderSweepsMax, Math.max(1, sweepsSince));
  return sweeps * RECOVERY_LIMITS.sweepEveryMs - SYNC_LIMITS.sweepMarginMs;
};

/**
 * True if the task can still run. False if its scope or source was disabled or removed, because such a scope has no
 * queue and no workers any more.
 */
const isSynchronized = (task: Pick<SyncTask, 'source' | 'scope'>): boolean =>
  scopeOf(task) !== undefined && (findManifest(task.source)?.isActive ?? false);

const scopeOf = ({ source, scope }: Pick<SyncTask, 'source' | 'scope'>): ScopeDefinition | undefined =>
  SCOPES.find((each) => each.source === source && each.name === scope);

const GONE = { code: 'sync.internal_error', message: 'The scope is no longer synchronized.' } as const;

const closeDeadScope = async (task: SyncTask): Promise<void> => {
  const { lease, task: taken } = await take(task, null);
  const interrupted = {
    code: task.lastErrorCode ?? 'sync.internal_error',
    message: task.lastErrorMessage ?? 'The scope was interrupted in each of its attempts.',
  } as const;
  const gone = isSynchronized(task) ? null : GONE;
  await endScope(taken, lease, scopeOf(task) ?? null, gone ?? timedOut(task) ?? interrupted);
};

/** Sends a message so that a worker of the source logs out a stored session that is no longer used. */
const recoverSession = async (
  organizationId: OrganizationId,
  source: string,
  login: string,
  slot: number,
): Promise<void> => {
  const manifest = MANIFESTS.find(({ code }) => code === source);
  const scope = manifest?.scopes[0];
  if (!manifest || scope === undefined) throw new Error(`source ${source} is unknown`);
  const account = { source, key: login, sessionsMax: manifest.sessionsPerLogin };
  await kept.postpone(organizationId, { login: account, n: slot });
  await sendTask(source, scope, { kind: 'logout', organizationId, source, login, slot });
};

/** Rebuilds the index of a dirty period whose scope has ended, for example after a cancel. */
const repairPeriod = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopeName: string,
  period: string,
): Promise<void> => {
  const address = { organizationId, connectionId, scope: scopeName };
  const connection = await connections.find(organizationId, connectionId);
  const scope = connection && scopeOf({ source: connection.source, scope: scopeName });
  if (!scope) return pageIndexes.postponeRepair(address, period);
  try {
    const { lease, done } = await takeForRepair(address);
    await reindex(address, scope, period, lease);
    await done();
    await wakeAfter(lease, null);
  } catch (error) {
    // A worker holds the lease.
    if (error instanceof LeaseTaken || error instanceof LeaseLost) return pageIndexes.postponeRepair(address, period);
    throw error;
  }
};

/**
 * Announces rows of a tender that were not announced or may have come late. If the connection is deleted, the purge
 * announces the deletion instead.
 */
const announceTenders = async (address: Extract<Due, { kind: 'tender' }>): Promise<void> => {
  const { organizationId, connectionId } = address;
  if (!(await connections.find(organizationId, connectionId))) return postponeMarks(address);
  await announceLeft(address, (scope) => lastFenceLeft(organizationId, connectionId, scope));
};

const recoverPurge = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  const generation = await purges.recover(organizationId, connectionId);
  await send('purges', { organizationId, connectionId, generation });
};
