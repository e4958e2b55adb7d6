/** Stores tasks. A task contains the checkpoint of a scope in a run, its generation and its due entry. */

import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { DUE_ATTRIBUTES, dueIn } from '#shared/table/due-index.ts';
import { parseDueMs } from '#shared/table/due-keys.ts';
import { item, StoredItemInvalid } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { type SyncTask, SyncTaskSchema } from './task.rules.ts';

/** The message or worker is stale, because the task has moved since. */
export class TaskConflict extends VersionConflict {}

const keyOf = (task: Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope'>): Key =>
  keys.task(task.organizationId, task.connectionId, task.runId, task.scope);

export const taskItem = item('task', SyncTaskSchema, {
  names: { generation: 'hop', attempts: 'tries', stateChangedAtMs: 'moved_at_ms' },
  absent: ['firstFence'],
});

/** Returns the item of a new task that is due in `dueInMs` milliseconds. */
export const putTask = (task: SyncTask, dueInMs: number): table.TransactItem => ({
  put: {
    ...keyOf(task),
    ...taskItem.toItem(task),
    ...dueIn(keyOf(task), dueInMs),
    ...expiresIn(RETENTION_SECONDS),
  },
});

export const find = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
  scope: string,
): Promise<SyncTask | undefined> => {
  const found = await table.get(keys.task(organizationId, connectionId, runId, scope));
  return found && { ...taskItem.fromItem(found), ...whenDue(found) };
};

/** Returns the tasks that exist of those named, in any order. */
export const findAll = async (
  named: readonly Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope'>[],
): Promise<SyncTask[]> => (await table.batchGet(named.map(keyOf))).map(taskItem.fromItem);

const whenDue = (found: table.Item): { lookedAtMs?: number } =>
  typeof found.due_sk === 'string' ? { lookedAtMs: parseDueMs({ due_sk: found.due_sk }) } : {};

/**
 * Returns the tasks that can be read, by partition and sort key joined by a blank. They may be outdated, at half the
 * price of `find`.
 */
export const findSome = async (wanted: readonly Key[]): Promise<Map<string, SyncTask>> => {
  const found = new Map<string, SyncTask>();
  for (const stored of await table.batchGet(wanted, { consistent: false })) {
    try {
      found.set(`${stored.pk} ${stored.sk}`, taskItem.fromItem(stored));
    } catch (error) {
      if (!(error instanceof StoredItemInvalid)) throw error;
    }
  }
  return found;
};

/** Returns the tasks of all scopes of a run. */
export const listOfRun = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
): Promise<SyncTask[]> => {
  const { pk, prefix } = keys.tasks(organizationId, connectionId, runId);
  return (await table.query(pk, { prefix })).map(taskItem.fromItem);
};

export interface StoredTask {
  task: SyncTask;
  /**
   * Update for a transaction that ends the task whether or not a worker holds it. The update fails if a checkpoint was
   * stored after the task was read.
   */
  end: TaskEnd;
}
type TaskEnd = Extract<table.TransactItem, { update: Key }>;

/**
 * Attributes of a checkpoint. They are compared in their stored form, because another release may store more in them
 * than this release reads.
 */
const CHECKPOINT = ['done', 'tenders', 'notices'] as const;

/** Returns the tasks of all scopes of a run, each with the update that ends the task in its current state. */
export const listWithEnds = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
): Promise<StoredTask[]> => {
  const { pk, prefix } = keys.tasks(organizationId, connectionId, runId);
  const found = await table.query(pk, { prefix });
  return found.map((stored) => ({
    task: taskItem.fromItem(stored),
    end: {
      update: { pk: stored.pk, sk: stored.sk },
      set: { state: 'ended' },
      add: { hop: 1 },
      remove: [...DUE_ATTRIBUTES],
      if: CHECKPOINT.map((attribute) => `#${attribute} = :${attribute}`).join(' AND '),
      values: Object.fromEntries(CHECKPOINT.map((attribute) => [attribute, stored[attribute]])),
    },
  }));
};

/**
 * Returns a move of the task for a transaction, conditional on the generation that was read. It stores only the changes:
 * a checkpoint leaves the generation as it is, so a live worker may have stored one since the task was read.
 *
 * @param dueInMs if null, the due entry is removed; if undefined, the due entry stays unchanged
 */
export const taskChange = (
  task: SyncTask,
  changes: Partial<SyncTask>,
  dueInMs: number | null | undefined,
): table.TransactItem => ({
  update: keyOf(task),
  set: { ...taskItem.toChanges(changes), ...(dueInMs == null ? {} : dueIn(keyOf(task), dueInMs)) },
  ...(dueInMs === null ? { remove: [...DUE_ATTRIBUTES] } : {}),
  if: 'attribute_exists(pk) AND #hop = :seen AND #state <> :ended',
  values: { seen: task.generation, ended: 'ended' },
  otherwise: () => new TaskConflict(),
});

/** Moves the task without a transaction and returns the moved task. */
export const move = async (task: SyncTask, changes: Partial<SyncTask>, dueInMs?: number): Promise<SyncTask> => {
  const item = taskChange(task, changes, dueInMs);
  if (!('update' in item)) throw new Error('a move is an update');
  const { update, ...change } = item;
  await table.update(update, change);
  return { ...task, ...changes };
};
