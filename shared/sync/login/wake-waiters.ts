/**
 * Tasks that cannot continue wait until they are woken, and do not poll (docs/adr/0014). A task that begins to wait
 * checks again after its waiter is written, and a worker that releases a lease or slot looks for waiters after the
 * release. So one of the two always sees the other. If a worker dies before it wakes a task, the sweeper does so, since
 * every waiting task has a due entry.
 */

import { isDeepStrictEqual } from 'node:util';
import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { LOGIN_LIMITS, SYNC_LIMITS } from '#shared/sync/limits.ts';
import { enqueueTask } from '#shared/sync/task/enqueue-task.ts';
import { isLeaseFree, isLoginFree, LeaseTaken, SlotTaken, take } from '#shared/sync/task/lease.store.ts';
import type { SyncTask, WaitsFor } from '#shared/sync/task/task.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import * as waiters from '#shared/sync/task/waiter.store.ts';
import type { Lease, SourceAccount } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { isUnderWay } from './login.rules.ts';
import * as logins from './login.store.ts';

type Task = Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId'>;

/**
 * The sweeper checks a waiting task one lease and its margin later, when the holder of the lease or slot may have died.
 */
const WAITING_DUE_MS = SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;

/**
 * The waiting task and the two items of the transaction. The state stays the same, so that waiting does not count as an
 * attempt.
 */
export const beginWaiting = (
  task: SyncTask,
  waitsFor: WaitsFor,
  changes: Partial<SyncTask> = {},
): { waiting: SyncTask; items: table.TransactItem[] } => {
  const moved = { ...changes, generation: task.generation + 1, stateChangedAtMs: nowMs(), waitsFor };
  const waiting = { ...task, ...moved, lookedAtMs: nowMs() + WAITING_DUE_MS };
  return { waiting, items: [tasks.taskChange(task, moved, WAITING_DUE_MS), waiters.waiterPut(waiting)] };
};

/** Wakes waiting tasks. An error here is only logged, because the sweeper also finds these tasks. */
const wake = async (list: ReturnType<typeof waiters.forLease>, wanted = 1): Promise<number> => {
  try {
    const tasks = await waiters.takeFirst(list, wanted);
    for (const task of tasks) await enqueueTask(task, 0);
    return tasks.length;
  } catch (error) {
    log.warn('waiting tasks could not be woken; the sweeper will wake them', describeError(error));
    return 0;
  }
};

/** Call after a lease was released and its slot was not, or rests. */
export const wakeForLease = async (lease: Lease): Promise<void> => {
  await wake(waiters.forLease(lease, lease.scope));
};

/**
 * Call after a lease and its slot were released. Wakes one task that waits for the lease and one that waits for the
 * slot.
 *
 * @param runId of the holder; null for a repair, which has no slot
 */
export const wakeAfter = async (lease: Lease, runId: string | null): Promise<void> => {
  await wakeForLease(lease);
  if (runId !== null) await wakeForRunOrSlot({ ...lease, runId }, lease.slot?.login ?? null);
};

/** The other scopes of the same run come first, since they share its session. */
const wakeForRunOrSlot = async (of: Task, login: SourceAccount | null): Promise<void> => {
  if ((await wake(waiters.forRun(of, of.runId))) === 0 && login !== null) await wakeForSlot(of.organizationId, login);
};

export const wakeForSlot = async (organizationId: OrganizationId, login: SourceAccount): Promise<void> => {
  await wake(waiters.forLogin(organizationId, login));
};

/** The task does not take the slot. If the slot is free, another waiting task gets it. */
export const passSlotOn = async (task: SyncTask, login: SourceAccount | null): Promise<void> => {
  const { source, waitsFor } = task;
  await wakeForRunOrSlot(task, login ?? (waitsFor?.for === 'login' ? loginOf(source, waitsFor.login) : null));
};

/** The task takes neither lease nor slot. Both go to waiting tasks. */
export const passOn = async (task: SyncTask, login: SourceAccount | null = null): Promise<void> => {
  await wake(waiters.forLease(task, task.scope));
  await passSlotOn(task, login);
};

/**
 * Takes lease and slot. If one of them is taken, the task only becomes a waiter. A second check sees a release that
 * happened while the waiter was written, and passes the free one of the two to another task.
 *
 * @param changes changes of a task that is taken; a waiting task stays as it is
 */
export const takeOrWait = async (
  found: SyncTask,
  login: SourceAccount | null,
  changes: Partial<SyncTask> = {},
): Promise<Awaited<ReturnType<typeof take>> | null> => {
  let task = found;
  for (let attempts = 0; attempts < SYNC_LIMITS.waitAttemptsMax; attempts++) {
    const attempt = await attemptTake(task, login, changes);
    if (attempt === null) return null;
    if ('begun' in attempt) {
      if (task.waitsFor !== null && task !== found) await waiters.leave(task);
      return attempt.begun;
    }
    const { waitsFor } = attempt;
    if (task !== found && isDeepStrictEqual(task.waitsFor, waitsFor)) {
      await passFreeOneOn(task, login, waitsFor);
      return null;
    }
    const waiting = await becomeWaiter(task, waitsFor);
    if (waiting === null) return null;
    task = waiting;
  }
  return null;
};

/** One of lease and slot is taken. The other may be free and goes to a task that waits for it. */
const passFreeOneOn = async (task: SyncTask, login: SourceAccount | null, waitsFor: WaitsFor): Promise<void> => {
  if (waitsFor.for === 'lease') await passSlotOn(task, login);
  else await wake(waiters.forLease(task, task.scope));
};

/** Returns null if another worker moved the task in the meantime. */
const attemptTake = async (
  task: SyncTask,
  login: SourceAccount | null,
  changes: Partial<SyncTask>,
): Promise<{ begun: Awaited<ReturnType<typeof take>> } | { waitsFor: WaitsFor } | null> => {
  try {
    return { begun: await take(task, login, changes) };
  } catch (error) {
    if (error instanceof tasks.TaskConflict) return null;
    if (error instanceof LeaseTaken) return { waitsFor: whatIsTaken(error, login) };
    throw error;
  }
};

/** Returns null if another worker moved the task in the meantime. */
const becomeWaiter = async (task: SyncTask, waitsFor: WaitsFor): Promise<SyncTask | null> => {
  const { waiting, items } = beginWaiting(task, waitsFor);
  try {
    await table.transact(items);
    return waiting;
  } catch (error) {
    if (error instanceof tasks.TaskConflict) return null;
    throw error;
  }
};

const whatIsTaken = (error: LeaseTaken, login: SourceAccount | null): WaitsFor =>
  error instanceof SlotTaken && login !== null ? { for: 'login', login: login.key } : { for: 'lease' };

/** The verdict of a login is known: wakes every task that waits for it. */
export const wakeForVerdict = async (organizationId: OrganizationId, login: SourceAccount): Promise<void> => {
  await wake(waiters.forVerdict(organizationId, login), Number.POSITIVE_INFINITY);
};

/** Checks whether the lease, slot, verdict or run that the task waits for is available now. */
export const mayGoOn = async (task: SyncTask): Promise<boolean> => {
  const { organizationId, connectionId, runId, scope, waitsFor } = task;
  switch (waitsFor?.for) {
    case 'lease':
      return isLeaseFree(organizationId, connectionId, scope);
    case 'login':
      return isLoginFree(organizationId, loginOf(task.source, waitsFor.login));
    case 'verdict':
      return !isUnderWay(
        await logins.find(organizationId, loginOf(task.source, waitsFor.login)),
        nowMs(),
        LOGIN_LIMITS,
      );
    case 'run':
      return !(await tasks.listOfRun(organizationId, connectionId, runId)).some((other) => isActive(other));
    default:
      return true;
  }
};

/** Lists from which this sweep already woke a task. One free slot serves only one of them. */
export type Woken = Set<string>;

export const isFirstToGoOn = async (task: SyncTask, woken: Woken): Promise<boolean> => {
  const list = waiters.listName(task);
  if (woken.has(list) || !(await mayGoOn(task)) || woken.has(list)) return false;
  woken.add(list);
  return true;
};

/** For the sweeper: checks the task again later, and makes sure that its waiter exists. */
export const keepWaiting = async (task: SyncTask): Promise<void> => {
  await tasks.move(task, {}, WAITING_DUE_MS - SYNC_LIMITS.sweepMarginMs);
  await waiters.ensure(task);
};

/**
 * True if the task runs on its own or by its due entry. When it ends or pauses, it wakes the other scopes of its run.
 */
const isActive = ({ state, waitsFor, stateChangedAtMs }: SyncTask): boolean =>
  state !== 'ended' && waitsFor?.for !== 'run' && stateChangedAtMs <= nowMs();

const loginOf = (source: string, key: string): SourceAccount => {
  const manifest = MANIFESTS.find(({ code }) => code === source);
  if (!manifest) throw new Error(`source ${source} is unknown`);
  return { source, key, sessionsMax: manifest.sessionsPerLogin };
};
