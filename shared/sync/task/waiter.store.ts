/**
 * Stores waiters. A waiter represents a task that waits for a lease, a slot, another scope or a verdict. A waiter may
 * be outdated, like a message; it is valid only while its generation equals the task's generation. A worker that releases a
 * lease or slot removes the first valid waiter.
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

/** Returns the list of scopes that wait for another scope of their run. */
export const forRun = ({ organizationId, connectionId }: WaiterOwner, runId: string): WaiterList =>
  keys.waiters(organizationId, connectionId, runId);

export const forVerdict = (organizationId: OrganizationId, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfVerdict(organizationId, login.source, login.key);

export const forLogin = (organizationId: OrganizationId, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfLogin(organizationId, login.source, login.key);

/** Returns the list that holds the waiter of the task. */
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

/** Returns the name of the task's list. The name is the same for all tasks that wait for the same event. */
export const listName = (task: SyncTask): string => {
  const { pk, prefix } = chooseWaiterList(task);
  return `${pk} ${prefix}`;
};

/** Returns the key of the task's waiter. The key stays the same while the task waits. */
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

/** Returns the item for the transaction that makes the task wait. */
export const waiterPut = (task: SyncTask): table.TransactItem => ({ put: itemOf(task) });

/** Stores the waiter of a task that is already waiting. */
export const putWaiter = (task: SyncTask): Promise<void> => table.put(itemOf(task));

/**
 * Writes the waiter of a waiting task again, in case the worker that removed the waiter died before it sent the
 * message.
 */
export const ensure = async (task: SyncTask): Promise<void> => {
  if (!(await table.get(keyOf(task)))) await putWaiter(task);
};

export const leave = (task: SyncTask): Promise<void> => table.remove(keyOf(task));

/** Another worker removed the waiter and wakes the task. */
class WaiterGone extends AppError {}

/** Removes a waiter. Returns false if another worker removed the waiter first. */
const takeOut = async (waiter: table.Item): Promise<boolean> => {
  try {
    await table.remove(waiter, { if: 'attribute_exists(pk)', otherwise: () => new WaiterGone() });
    return true;
  } catch (error) {
    if (error instanceof WaiterGone) return false;
    throw error;
  }
};

/** Returns the waiter's task if the task still waits; otherwise undefined. */
const taskOf = async (waiter: table.Item): Promise<SyncTask | undefined> => {
  const { organizationId, connectionId, runId, scope, generation } = waiterItem.fromItem(waiter);
  const task = await tasks.find(organizationId, connectionId, runId, scope);
  return task?.generation === generation && task?.state !== 'ended' ? task : undefined;
};

/** True if the list has a waiter, which may be outdated. */
export const isAnyWaiting = async ({ pk, prefix }: WaiterList): Promise<boolean> =>
  (await table.query(pk, { prefix, limit: 1 })).length > 0;

/**
 * Removes waiters from a list, oldest first, until `wanted` valid ones are found. Stale waiters are removed as well.
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
