/**
 * Tasks that cannot go on wait until they are woken, and ask nobody meanwhile (docs/adr/0014). Whoever makes one wait
 * looks again after its waiter is written, and whoever gives something back looks for waiters after that: one of the two
 * sees the other. A wake that dies with its worker is made up for by the sweeper, who finds every waiting task due.
 */
import { isLeaseFree, isLoginFree, type Lease, type Login } from '#shared/data/leases.ts';
import * as logins from '#shared/data/logins.ts';
import type * as table from '#shared/data/table.ts';
import * as waiters from '#shared/data/waiters.ts';
import * as works from '#shared/data/works.ts';
import { isUnderWay } from '#shared/domain/logins.ts';
import type { ScopeWork, WaitsFor } from '#shared/domain/scope-work.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { MANIFESTS } from '#shared/sources/manifests.gen.ts';
import { hintWork } from './scope-hints.ts';

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
 * A lease and its slot were given back: one task that waits for the lease goes on, and one that waits for the slot. The
 * other scopes of the same run come first, since they share its session.
 */
export const wakeAfter = async (lease: Lease, runId: string | null): Promise<void> => {
  await wake(waiters.forLease(lease, lease.scope));
  if (runId !== null && (await wake(waiters.forRun(lease, runId))) > 0) return;
  if (lease.slot) await wakeForSlot(lease.organizationId, lease.slot.login);
};

export const wakeForSlot = async (organizationId: string, login: Login): Promise<void> => {
  await wake(waiters.forLogin(organizationId, login));
};

/** A task that was woken does not need (any more) what it was woken for: the next one may have it. */
export const passOn = async (work: ScopeWork): Promise<void> => {
  if (work.waitsFor !== null) await wake(waiters.listOf(work));
};

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
