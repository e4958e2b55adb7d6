/**
 * Stores waiters. A waiter represents a task that waits for a lease, a slot or a verdict; a task that waits for its run
 * has no waiter, because the tasks of a run are listed. A waiter may be outdated, like a message; it is valid only while
 * its generation equals the task's generation. A worker that releases a lease or slot removes the first valid waiter.
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

export const forVerdict = (organizationId: OrganizationId, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfVerdict(organizationId, login.source, login.key);

export const forLogin = (organizationId: OrganizationId, login: { source: string; key: string }): WaiterList =>
  keys.waitersOfLogin(organizationId, login.source, login.key);

/** Returns the list that holds the waiter of the task, or null if the task has no waiter. */
export const chooseWaiterList = (task: SyncTask): WaiterList | null => {
  switch (task.waitsFor?.for) {
    case 'lease':
      return forLease(task, task.scope);
    case 'verdict':
      return forVerdict(task.organizationId, { source: task.source, key: task.waitsFor.login });
    case 'login':
      return forLogin(task.organizationId, { source: task.source, key: task.waitsFor.login });
    default:
      return null;
  }
};

/** Returns the name of the task's list. The name is the same for all tasks that wait for the same event. */
export const listName = (task: SyncTask): string => {
  const list = chooseWaiterList(task);
  return list === null ? task.runId : `${list.pk} ${list.prefix}`;
};

/** Returns the key of the task's waiter, which stays the same while the task waits. Null if the task has no waiter. */
const keyOf = (task: SyncTask): Key | null => {
  const list = chooseWaiterList(task);
  return list && keys.waiter(list, new Date(task.stateChangedAtMs).toISOString(), task.runId, task.scope);
};

export const waiterItem = item(
  'waiter',
  SyncTaskSchema.pick({ organizationId: true, connectionId: true, runId: true, scope: true, generation: true }),
  { names: { generation: 'hop' } },
);

const itemOf = (key: Key, task: SyncTask): table.Item => ({
  ...key,
  ...waiterItem.toItem(task),
  ...expiresIn(SYNC_LIMITS.waiterHours * 3_600),
});

/** Returns the items for the transaction that makes the task wait. */
export const waiterPuts = (task: SyncTask): table.TransactItem[] => {
  const key = keyOf(task);
  return key === null ? [] : [{ put: itemOf(key, task) }];
};

/**
 * Writes the waiter of a waiting task again, in case the worker that removed the waiter died before it sent the
 * message.
 */
export const ensure = async (task: SyncTask): Promise<void> => {
  const key = keyOf(task);
  if (key !== null && !(await table.get(key))) await table.put(itemOf(key, task));
};

export const leave = async (task: SyncTask): Promise<void> => {
  const key = keyOf(task);
  if (key !== null) await table.remove(key);
};

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
