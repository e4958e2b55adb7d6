/**
 * Tasks that cannot go on wait until they are woken, and ask nobody meanwhile (docs/adr/0014). Whoever makes one wait
 * looks again after its waiter is written, and whoever gives something back looks for waiters after that: one of the two
 * sees the other. A wake that dies with its worker is made up for by the sweeper, who finds every waiting task due.
 */
import { isDeepStrictEqual } from 'node:util';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import type { Lease, Login } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { hintWork } from './enqueue-task.ts';
import { isLeaseFree, isLoginFree, LeaseTaken, SlotTaken, take } from './lease.store.ts';
import { isUnderWay } from './login.rules.ts';
import * as logins from './login.store.ts';
import type { ScopeWork, WaitsFor } from './task.rules.ts';
import * as works from './task.store.ts';
import * as waiters from './waiter.store.ts';

type Task = Pick<ScopeWork, 'organizationId' | 'connectionId' | 'runId'>;

/** The sweeper looks at a task that waits when whoever it waits for could have died: a lease and its margin later. */
export const WAITING_DUE_MS = LIMITS.leaseMs + LIMITS.leaseMarginMs;

/** The work that waits, and the two items of the transaction. The state stays, so that waiting costs no try. */
export const beginWaiting = (
  work: ScopeWork,
  waitsFor: WaitsFor,
  changes: Partial<ScopeWork> = {},
): { waiting: ScopeWork; items: table.TransactItem[] } => {
  const moved = { ...changes, hop: work.hop + 1, movedAtMs: nowMs(), waitsFor };
  const waiting = { ...work, ...moved };
  return { waiting, items: [works.workChange(work, moved, WAITING_DUE_MS), waiters.waiterPut(waiting)] };
};

/** Wakes who waits. Never in place of what was done before it: the sweeper would find them, too. */
const wake = async (list: ReturnType<typeof waiters.forLease>, wanted = 1): Promise<number> => {
  try {
    const tasks = await waiters.takeFirst(list, wanted);
    for (const task of tasks) await hintWork(task, 0);
    return tasks.length;
  } catch (error) {
    log.warn('who waits could not be woken; the sweeper will', describeError(error));
    return 0;
  }
};

/**
 * A lease and its slot were given back: one task that waits for the lease goes on, and one that waits for the slot.
 *
 * @param runId of the holder; null for a repair, which has no slot
 */
export const wakeAfter = async (lease: Lease, runId: string | null): Promise<void> => {
  await wake(waiters.forLease(lease, lease.scope));
  if (runId !== null) await wakeForRunOrSlot({ ...lease, runId }, lease.slot?.login ?? null);
};

/** The other scopes of the same run come first, since they share its session. */
const wakeForRunOrSlot = async (of: Task, login: Login | null): Promise<void> => {
  if ((await wake(waiters.forRun(of, of.runId))) === 0 && login !== null) await wakeForSlot(of.organizationId, login);
};

export const wakeForSlot = async (organizationId: string, login: Login): Promise<void> => {
  await wake(waiters.forLogin(organizationId, login));
};

/** The task does not take the slot, which may be free: whoever waits for a slot has it. */
export const passSlotOn = async (work: ScopeWork, login: Login | null): Promise<void> => {
  const { source, waitsFor } = work;
  await wakeForRunOrSlot(work, login ?? (waitsFor?.for === 'login' ? loginOf(source, waitsFor.login) : null));
};

/** The task takes neither lease nor slot. */
export const passOn = async (work: ScopeWork, login: Login | null = null): Promise<void> => {
  await wake(waiters.forLease(work, work.scope));
  await passSlotOn(work, login);
};

/**
 * Lease and slot; or, where somebody else has them, a waiter and nothing more. What was given back while that was
 * written is seen by the second look, and the one of the two that is free goes to whoever waits for that one.
 */
export const takeOrWait = async (
  found: ScopeWork,
  login: Login | null,
): Promise<Awaited<ReturnType<typeof take>> | null> => {
  let work = found;
  for (let tries = 0; tries < LIMITS.waitTriesMax; tries++) {
    try {
      const begun = await take(work, login);
      if (work.waitsFor !== null && work !== found) await waiters.leave(work);
      return begun;
    } catch (error) {
      if (error instanceof works.WorkMoved) return null;
      if (!(error instanceof LeaseTaken)) throw error;
      const waitsFor = whatIsTaken(error, login);
      if (work !== found && isDeepStrictEqual(work.waitsFor, waitsFor)) {
        await (waitsFor.for === 'lease' ? passSlotOn(work, login) : wake(waiters.forLease(work, work.scope)));
        return null;
      }
      const { waiting, items } = beginWaiting(work, waitsFor);
      try {
        await table.transact(items);
      } catch (moved) {
        if (moved instanceof works.WorkMoved) return null;
        throw moved;
      }
      work = waiting;
    }
  }
  return null;
};

const whatIsTaken = (error: LeaseTaken, login: Login | null): WaitsFor =>
  error instanceof SlotTaken && login !== null ? { for: 'login', login: login.key } : { for: 'lease' };

/** The verdict of a login is known: every task that waits for it goes on. */
export const wakeForVerdict = async (organizationId: string, login: Login): Promise<void> => {
  await wake(waiters.forVerdict(organizationId, login), Number.POSITIVE_INFINITY);
};

/** Is what the task waits for to be had now? */
export const mayGoOn = async (work: ScopeWork): Promise<boolean> => {
  const { organizationId, connectionId, runId, scope, waitsFor } = work;
  switch (waitsFor?.for) {
    case 'lease':
      return isLeaseFree(organizationId, connectionId, scope);
    case 'login':
      return isLoginFree(organizationId, loginOf(work.source, waitsFor.login));
    case 'verdict':
      return !isUnderWay(await logins.find(organizationId, loginOf(work.source, waitsFor.login)), nowMs(), LIMITS);
    case 'run':
      return !(await works.listOfRun(organizationId, connectionId, runId)).some((other) => isActive(other));
    default:
      return true;
  }
};

/** Lists of waiters that one was woken of in this sweep: what is free for one is not free for all. */
export type Woken = Set<string>;

export const isFirstToGoOn = async (work: ScopeWork, woken: Woken): Promise<boolean> => {
  const list = waiters.listName(work);
  if (woken.has(list) || !(await mayGoOn(work)) || woken.has(list)) return false;
  woken.add(list);
  return true;
};

/** For the sweeper: the task is looked at again, and whoever gives something back finds it. */
export const keepWaiting = async (work: ScopeWork): Promise<void> => {
  await works.move(work, {}, WAITING_DUE_MS - LIMITS.sweepMarginMs);
  await waiters.ensure(work);
};

/** Goes on by itself, or by its own due entry, and wakes the other scopes of its run when it ends or pauses. */
const isActive = ({ state, waitsFor, movedAtMs }: ScopeWork): boolean =>
  state !== 'ended' && waitsFor?.for !== 'run' && movedAtMs <= nowMs();

const loginOf = (source: string, key: string): Login => {
  const manifest = MANIFESTS.find(({ code }) => code === source);
  if (!manifest) throw new Error(`source ${source} is unknown`);
  return { source, key, sessionsMax: manifest.sessionsPerLogin };
};
