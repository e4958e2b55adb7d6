/** Tasks: the checkpoint of a scope in a run, its generation (`hop`) and its due entry. */

import { nowSeconds } from '#shared/platform/clock.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import type { SyncTask } from './task.rules.ts';

/** The message or worker is stale: the task has moved on. */
export class TaskConflict extends VersionConflict {}

const keyOf = (task: Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope'>): Key =>
  keys.task(task.organizationId, task.connectionId, task.runId, task.scope);

const attributes = (task: SyncTask) => ({
  organization_id: task.organizationId,
  connection_id: task.connectionId,
  run_id: task.runId,
  source: task.source,
  scope: task.scope,
  hop: task.hop,
  state: task.state,
  tries: task.tries,
  moved_at_ms: task.stateChangedAtMs,
  waits_for: task.waitsFor,
  first_leased_at: task.firstLeasedAt,
  periods: task.periods,
  done: task.done,
  tenders: task.tenders,
  notices: task.notices,
  answers: task.answers,
  refused: task.refused,
  last_error_code: task.lastErrorCode,
  last_error_message: task.lastErrorMessage,
});

const fromItem = (item: table.Item): SyncTask => ({
  organizationId: item.organization_id,
  connectionId: item.connection_id,
  runId: item.run_id,
  source: item.source,
  scope: item.scope,
  hop: item.hop,
  state: item.state,
  tries: item.tries,
  stateChangedAtMs: item.moved_at_ms,
  // Absent in what was written while tasks asked instead of waiting.
  waitsFor: item.waits_for ?? null,
  firstLeasedAt: item.first_leased_at,
  periods: item.periods,
  done: item.done,
  // Absent in what was written before there were any.
  tenders: item.tenders ?? null,
  notices: item.notices,
  answers: item.answers,
  // Absent in what was written before it was counted.
  refused: item.refused ?? [],
  lastErrorCode: item.last_error_code,
  lastErrorMessage: item.last_error_message,
});

export const taskItem = (task: SyncTask, dueInMs: number): table.Item => ({
  ...keyOf(task),
  ...attributes(task),
  ...dueIn(keyOf(task), dueInMs),
  expires_at_epoch: nowSeconds() + RETENTION_SECONDS,
});

export const find = async (
  organizationId: string,
  connectionId: string,
  runId: string,
  scope: string,
): Promise<SyncTask | undefined> => {
  const item = await table.get(keys.task(organizationId, connectionId, runId, scope));
  return item && fromItem(item);
};

/** What every scope of a run still has to do. */
export const listOfRun = async (organizationId: string, connectionId: string, runId: string): Promise<SyncTask[]> => {
  const { pk, prefix } = keys.tasks(organizationId, connectionId, runId);
  return (await table.query(pk, { prefix })).map(fromItem);
};

/** A move of the task, conditional on the hop it was read with; for a transaction. */
export const taskChange = (task: SyncTask, changes: Partial<SyncTask>, dueInMs: number | null): table.TransactItem => {
  const { organization_id, connection_id, run_id, source, scope, ...rest } = attributes({ ...task, ...changes });
  return {
    update: keyOf(task),
    set: { ...rest, ...(dueInMs === null ? {} : dueIn(keyOf(task), dueInMs)) },
    ...(dueInMs === null ? { remove: ['due_pk', 'due_sk'] } : {}),
    if: 'attribute_exists(pk) AND #hop = :seen AND #state <> :ended',
    values: { seen: task.hop, ended: 'ended' },
    otherwise: () => new TaskConflict(),
  };
};

/** The same, sent alone. Answers the task after the move. */
export const move = async (task: SyncTask, changes: Partial<SyncTask>, dueInMs: number): Promise<SyncTask> => {
  const item = taskChange(task, changes, dueInMs);
  if (!('update' in item)) throw new Error('a move is an update');
  const { update, ...change } = item;
  await table.update(update, change);
  return { ...task, ...changes };
};
