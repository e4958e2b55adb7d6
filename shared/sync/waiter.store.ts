/**
 * Who waits for a lease, a slot, another scope or a verdict. A waiter is a hint, as a message is: it carries the hop of
 * its task and counts only while that is the task's. Whoever gives something back takes the first true one out.
 */

import { nowSeconds } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { type Key, keys, type WaiterList } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ScopeWork } from './task.rules.ts';
import * as works from './task.store.ts';

type Of = Pick<ScopeWork, 'organizationId' | 'connectionId'>;

export const forLease = ({ organizationId, connectionId }: Of, scope: string): WaiterList =>
  keys.waiters(organizationId, connectionId, scope);

/** Scopes that wait for another one of their run. */
export const forRun = ({ organizationId, connectionId }: Of, runId: string): WaiterList =>
  keys.waiters(organizationId, connectionId, runId);

export const forVerdict = (organizationId: string, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfVerdict(organizationId, login.source, login.key);

export const forLogin = (organizationId: string, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfLogin(organizationId, login.source, login.key);

/** Where a task that waits is found. */
export const listOf = (work: ScopeWork): WaiterList => {
  switch (work.waitsFor?.for) {
    case 'run':
      return forRun(work, work.runId);
    case 'lease':
      return forLease(work, work.scope);
    case 'verdict':
      return forVerdict(work.organizationId, { source: work.source, key: work.waitsFor.login });
    case 'login':
      return forLogin(work.organizationId, { source: work.source, key: work.waitsFor.login });
    default:
      throw new Error('the task waits for nothing');
  }
};

/** The same for all who wait for the same. */
export const listName = (work: ScopeWork): string => {
  const { pk, prefix } = listOf(work);
  return `${pk} ${prefix}`;
};

/** The same for as long as the task waits. */
const keyOf = (work: ScopeWork): Key =>
  keys.waiter(listOf(work), new Date(work.movedAtMs).toISOString(), work.runId, work.scope);

const itemOf = (work: ScopeWork): table.Item => ({
  ...keyOf(work),
  organization_id: work.organizationId,
  connection_id: work.connectionId,
  run_id: work.runId,
  scope: work.scope,
  hop: work.hop,
  expires_at_epoch: nowSeconds() + LIMITS.waiterHours * 3_600,
});

/** For the transaction that makes the task wait. */
export const waiterPut = (work: ScopeWork): table.TransactItem => ({ put: itemOf(work) });

/** A task that waits has its waiter again, should whoever took that out have died before it sent the message. */
export const ensure = async (work: ScopeWork): Promise<void> => {
  if (!(await table.get(keyOf(work)))) await table.put(itemOf(work));
};

export const leave = (work: ScopeWork): Promise<void> => table.remove(keyOf(work));

/** Somebody else woke it. */
class WaiterGone extends Error {}

/** Answers false when somebody was quicker. */
const takeOut = async (waiter: table.Item): Promise<boolean> => {
  try {
    await table.remove(waiter, { if: 'attribute_exists(pk)', otherwise: () => new WaiterGone() });
    return true;
  } catch (error) {
    if (error instanceof WaiterGone) return false;
    throw error;
  }
};

/** The task, where it still waits. */
const taskOf = async (waiter: table.Item): Promise<ScopeWork | undefined> => {
  const { organization_id, connection_id, run_id, scope } = waiter;
  const work = await works.find(organization_id, connection_id, run_id, scope);
  return work?.hop === waiter.hop && work?.state !== 'ended' ? work : undefined;
};

/**
 * Takes waiters out of a list, oldest first, until so many true ones are found; those whose task has moved on go as well.
 */
export const takeFirst = async ({ pk, prefix }: WaiterList, wanted = 1): Promise<ScopeWork[]> => {
  const found: ScopeWork[] = [];
  for (;;) {
    const waiters = await table.query(pk, { prefix, limit: LIMITS.waitersReadAtOnce });
    for (const waiter of waiters) {
      const task = await taskOf(waiter);
      if ((await takeOut(waiter)) && task) found.push(task);
      if (found.length >= wanted) return found;
    }
    if (waiters.length < LIMITS.waitersReadAtOnce) return found;
  }
};
