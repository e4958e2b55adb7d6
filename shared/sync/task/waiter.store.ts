/**
 * Who waits for a lease, a slot, another scope or a verdict. A waiter is a hint, as a message is: it carries the generation of
 * its task and counts only while that is the task's. Whoever gives something back takes the first true one out.
 */

import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { item } from '#shared/table/item.ts';
import { type Key, keys, type WaiterList } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { type SyncTask, SyncTaskSchema } from './task.rules.ts';
import * as tasks from './task.store.ts';

type WaiterOwner = Pick<SyncTask, 'organizationId' | 'connectionId'>;

export const forLease = ({ organizationId, connectionId }: WaiterOwner, scope: string): WaiterList =>
  keys.waiters(organizationId, connectionId, scope);

/** Scopes that wait for another one of their run. */
export const forRun = ({ organizationId, connectionId }: WaiterOwner, runId: string): WaiterList =>
  keys.waiters(organizationId, connectionId, runId);

export const forVerdict = (organizationId: OrganizationId, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfVerdict(organizationId, login.source, login.key);

export const forLogin = (organizationId: OrganizationId, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfLogin(organizationId, login.source, login.key);

/** Where a task that waits is found. */
export const chooseWaiterList = (task: SyncTask): WaiterList => {
  switch (task.waitsFor?.for) {
    case 'run':
      return forRun(task, task.runId);
    case 'lease':
      return forLease(task, task.scope);
    case 'verdict':
      return forVerdict(task.organizationId, { source: task.source, key: task.waitsFor.login });
    case 'login':
      return forLogin(task.organizationId, { source: task.source, key: task.waitsFor.login });
    default:
      throw new Error('the task waits for nothing');
  }
};

/** The same for all who wait for the same. */
export const listName = (task: SyncTask): string => {
  const { pk, prefix } = chooseWaiterList(task);
  return `${pk} ${prefix}`;
};

/** The same for as long as the task waits. */
const keyOf = (task: SyncTask): Key =>
  keys.waiter(chooseWaiterList(task), new Date(task.stateChangedAtMs).toISOString(), task.runId, task.scope);

export const waiterItem = item(
  'waiter',
  SyncTaskSchema.pick({ organizationId: true, connectionId: true, runId: true, scope: true, generation: true }),
  { names: { generation: 'hop' } },
);

const itemOf = (task: SyncTask): table.Item => ({
  ...keyOf(task),
  ...waiterItem.toItem(task),
  ...expiresIn(SYNC_LIMITS.waiterHours * 3_600),
});

/** For the transaction that makes the task wait. */
export const waiterPut = (task: SyncTask): table.TransactItem => ({ put: itemOf(task) });

/** Of a task that waits already. */
export const putWaiter = (task: SyncTask): Promise<void> => table.put(itemOf(task));

/** A task that waits has its waiter again, should whoever took that out have died before it sent the message. */
export const ensure = async (task: SyncTask): Promise<void> => {
  if (!(await table.get(keyOf(task)))) await putWaiter(task);
};

export const leave = (task: SyncTask): Promise<void> => table.remove(keyOf(task));

/** Somebody else woke it. */
class WaiterGone extends AppError {}

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
const taskOf = async (waiter: table.Item): Promise<SyncTask | undefined> => {
  const { organizationId, connectionId, runId, scope, generation } = waiterItem.fromItem(waiter);
  const task = await tasks.find(organizationId, connectionId, runId, scope);
  return task?.generation === generation && task?.state !== 'ended' ? task : undefined;
};

/**
 * Takes waiters out of a list, oldest first, until so many true ones are found; those whose task has moved on go as well.
 */
export const takeFirst = async ({ pk, prefix }: WaiterList, wanted = 1): Promise<SyncTask[]> => {
  const found: SyncTask[] = [];
  for (;;) {
    const waiters = await table.query(pk, { prefix, limit: SYNC_LIMITS.waitersReadAtOnce });
    for (const waiter of waiters) {
      const task = await taskOf(waiter);
      if ((await takeOut(waiter)) && task) found.push(task);
      if (found.length >= wanted) return found;
    }
    if (waiters.length < SYNC_LIMITS.waitersReadAtOnce) return found;
  }
};
