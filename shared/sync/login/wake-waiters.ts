/**
 * Wakes tasks that cannot continue. Such tasks wait until they are woken, and do not poll (docs/adr/0014). A task that
 * begins to wait checks the lease and slot again after its waiter is written, and a worker that releases a lease or
 * slot looks for waiters after the release. So either the task sees the release, or the worker sees the waiter. If a
 * worker dies before it wakes a task, the sweeper wakes the task, since every waiting task has a due entry.
 */

import { isDeepStrictEqual } from 'node:util';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { LOGIN_LIMITS, SYNC_LIMITS } from '#shared/sync/limits.ts';
import { enqueueTask } from '#shared/sync/task/enqueue-task.ts';
import { isLeaseFree, take } from '#shared/sync/task/lease.store.ts';
import { LeaseTaken, SlotTaken } from '#shared/sync/task/may-take.ts';
import { endReservation, isLoginFree } from '#shared/sync/task/slot.store.ts';
import type { SyncTask, WaitsFor } from '#shared/sync/task/task.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { startDelayMs } from '#shared/sync/task/task-start.ts';
import * as waiters from '#shared/sync/task/waiter.store.ts';
import type { WaiterList } from '#shared/table/keys.ts';
import type { Lease, SourceAccount } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { isUnderWay } from './login.rules.ts';
import * as logins from './login.store.ts';

type Task = Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope'>;

/**
 * The sweeper checks a waiting task after the time of one lease and its margin. By then, the lease or slot has expired
 * if its holder was dead when the wait began.
 */
const WAITING_DUE_MS = SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;

/**
 * Returns the waiting task, and the transaction items that store the task and its waiter. The task's `state` stays
 * the same, so that waiting does not count as an attempt.
 */
export const beginWaiting = (
  task: SyncTask,
  waitsFor: WaitsFor,
  changes: Partial<SyncTask> = {},
): { waiting: SyncTask; items: table.TransactItem[] } => {
  const moved = { ...changes, generation: task.generation + 1, stateChangedAtMs: nowMs(), waitsFor };
  const waiting = { ...task, ...moved, lookedAtMs: nowMs() + WAITING_DUE_MS };
  return { waiting, items: [tasks.taskChange(task, moved, WAITING_DUE_MS), ...waiters.waiterPuts(waiting)] };
};

/**
 * Returns the delay of the next scope of a run. It begins at the full minute only if the login is reserved until then and
 * nobody else waits for the login.
 */
const delayOf = async (task: SyncTask, reserved: SourceAccount | null): Promise<number> => {
  const fullMinuteMs = startDelayMs(task);
  if (reserved === null || fullMinuteMs === 0) return 0;
  return (await waiters.isAnyWaiting(waiters.forLogin(task.organizationId, reserved))) ? 0 : fullMinuteMs;
};

const begin = async (task: SyncTask, reserved: SourceAccount | null): Promise<void> => {
  const delayMs = await delayOf(task, reserved);
  // The task waits no more: the sweeper sends neither its message earlier nor another scope of its run.
  if (delayMs > 0) await tasks.move(task, { waitsFor: null }, delayMs + MESSAGING_LIMITS.messageGraceMs);
  await enqueueTask(task, delayMs);
};

/** An error while tasks are woken is only logged, because the sweeper also finds these tasks. */
const onlyLogged = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    log.warn('waiting tasks could not be woken; the sweeper will wake them', describeError(error));
  }
};

/** Wakes tasks that wait, oldest first. */
const wake = (list: WaiterList, wanted = 1): Promise<void> =>
  onlyLogged(async () => {
    for (const task of await waiters.takeFirst(list, wanted)) await begin(task, null);
  });

/**
 * Wakes a task that waits for the lease. Must be called after the lease was released without its slot, or with a slot
 * that rests.
 */
export const wakeForLease = (lease: Lease): Promise<void> => wake(waiters.forLease(lease, lease.scope));

export const wakeForSlot = (organizationId: OrganizationId, login: SourceAccount): Promise<void> =>
  wake(waiters.forLogin(organizationId, login));

/**
 * Wakes one task that waits for the lease and one task that waits for the slot. Must be called after a lease and its
 * slot were released.
 *
 * @param runId run that goes on, for which the slot was reserved; null if the run is over, or after a repair
 */
export const wakeAfter = async (lease: Lease, runId: string | null): Promise<void> => {
  await wakeForLease(lease);
  const login = lease.slot?.login ?? null;
  if (runId !== null) await wakeForRunOrSlot({ ...lease, runId }, login, login);
  else if (login !== null) await wakeForSlot(lease.organizationId, login);
};

/** True if the task has the session of its run, or takes it soon: its message is on its way, or it makes a short pause. */
const usesSession = ({ state, waitsFor, stateChangedAtMs }: SyncTask): boolean =>
  state !== 'ended' && waitsFor === null && stateChangedAtMs <= nowMs() + SYNC_LIMITS.sessionRestMs;

/** Returns the scope with which a run goes on. One that has begun comes first, because its time is limited. */
const chooseNext = (others: readonly SyncTask[], login: SourceAccount | null): SyncTask | undefined => {
  const ready = others.filter(
    ({ state, waitsFor }) =>
      state !== 'ended' && (waitsFor?.for === 'run' || (waitsFor?.for === 'login' && waitsFor.login === login?.key)),
  );
  return ready.find(({ state }) => state !== 'queued') ?? ready[0];
};

/**
 * Wakes another scope of the run, since it uses the same session. If no task of the run uses the session soon, ends the
 * reservation and wakes the task that has waited longest for the login.
 *
 * @param of task that released the slot or does not take it
 */
const wakeForRunOrSlot = (of: Task, login: SourceAccount | null, reserved: SourceAccount | null): Promise<void> =>
  onlyLogged(async () => {
    const all = await tasks.listOfRun(of.organizationId, of.connectionId, of.runId);
    const others = all.filter(({ scope }) => scope !== of.scope);
    if (others.some(usesSession)) return;
    const next = chooseNext(others, login);
    if (next !== undefined) return begin(next, reserved);
    // Without others, it is the task itself that makes a short pause.
    if (login === null || all.some(usesSession)) return;
    await endReservation(of.organizationId, login, of.runId);
    await wakeForSlot(of.organizationId, login);
  });

/** Wakes another task that waits for the slot, because this task does not take the slot. */
export const passSlotOn = async (task: SyncTask, login: SourceAccount | null): Promise<void> => {
  const { source, waitsFor } = task;
  await wakeForRunOrSlot(task, login ?? (waitsFor?.for === 'login' ? loginOf(source, waitsFor.login) : null), null);
};

/** Wakes a task that waits for the lease and one that waits for the slot, because this task does not take them. */
export const passOn = async (task: SyncTask, login: SourceAccount | null = null): Promise<void> => {
  await wake(waiters.forLease(task, task.scope));
  await passSlotOn(task, login);
};

/**
 * Takes lease and slot. If the lease or the slot is taken, the task takes neither and becomes a waiter. A second check
 * sees a release that happened while the waiter was written. If only the lease or only the slot is free, a task that
 * waits for it is woken.
 *
 * @param changes changes of a task that takes both; a waiting task stays as it is
 */
export const takeOrWait = async (
  found: SyncTask,
  login: SourceAccount | null,
  changes: Partial<SyncTask> = {},
): Promise<Awaited<ReturnType<typeof take>> | null> => {
  let task = found;
  for (let attempts = 0; attempts < SYNC_LIMITS.waitAttemptsMax; attempts++) {
    const attempt = await attemptTake(task, login, changes);
    if (attempt === null) {
      await passOnIfEnded(task, login);
      return null;
    }
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

/**
 * Wakes another task for the lease or slot that this task does not take. Called if the lease or the slot is taken,
 * since the other of these two may be free.
 */
const passFreeOneOn = async (task: SyncTask, login: SourceAccount | null, waitsFor: WaitsFor): Promise<void> => {
  if (waitsFor.for === 'lease') await passSlotOn(task, login);
  else await wake(waiters.forLease(task, task.scope));
};

/**
 * Passes lease and slot on if another worker ended the task. This worker was woken to take them, and the worker that
 * ended the task did not hold them.
 */
const passOnIfEnded = async (task: SyncTask, login: SourceAccount | null): Promise<void> => {
  const now = await tasks.find(task.organizationId, task.connectionId, task.runId, task.scope);
  if (now === undefined || now.state === 'ended') await passOn(task, login);
};

/** Tries to take lease and slot. Returns null if another worker moved the task in the meantime. */
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

/** Makes the task a waiter. Returns null if another worker moved the task in the meantime. */
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

/** Wakes every task that waits for the verdict of this login. */
export const wakeForVerdict = async (organizationId: OrganizationId, login: SourceAccount): Promise<void> => {
  await wake(waiters.forVerdict(organizationId, login), Number.POSITIVE_INFINITY);
};

/** True if the lease, slot, verdict or run that the task waits for is available now. */
export const mayGoOn = async (task: SyncTask): Promise<boolean> => {
  const { organizationId, connectionId, runId, scope, waitsFor } = task;
  switch (waitsFor?.for) {
    case 'lease':
      return isLeaseFree(organizationId, connectionId, scope);
    case 'login':
      return isLoginFree(organizationId, loginOf(task.source, waitsFor.login), runId);
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

/** Names of the lists from which this sweep already woke a task. One free slot serves only one task of a list. */
export type Woken = Set<string>;

export const isFirstToGoOn = async (task: SyncTask, woken: Woken): Promise<boolean> => {
  const list = waiters.listName(task);
  if (woken.has(list) || !(await mayGoOn(task)) || woken.has(list)) return false;
  woken.add(list);
  return true;
};

/**
 * Lets the task wait longer. The sweeper checks the task again later, and makes sure that its waiter exists.
 * @param atLeastMs least time until the next check, for a sweeper that has more due items than it can check each minute
 */
export const keepWaiting = async (task: SyncTask, atLeastMs: number): Promise<void> => {
  await tasks.move(task, {}, Math.max(WAITING_DUE_MS, atLeastMs) - SYNC_LIMITS.sweepMarginMs);
  await waiters.ensure(task);
};

/**
 * True if the task runs without being woken by another scope, or will run by its due entry. When the task ends or
 * pauses, it wakes the other scopes of its run.
 */
const isActive = ({ state, waitsFor, stateChangedAtMs }: SyncTask): boolean =>
  state !== 'ended' && waitsFor?.for !== 'run' && !(state === 'waiting' && stateChangedAtMs > nowMs());

const loginOf = (source: string, key: string): SourceAccount => {
  const manifest = MANIFESTS.find(({ code }) => code === source);
  if (!manifest) throw new Error(`source ${source} is unknown`);
  return { source, key, sessionsMax: manifest.sessionsPerLogin };
};
