/** The work of a scope in a run: its checkpoint, its hop and when somebody must look at it. */

import { nowSeconds } from '#shared/platform/clock.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ScopeWork } from './task.rules.ts';

/** The message or worker is stale: the work has moved on. */
export class WorkMoved extends Error {}

const keyOf = (work: Pick<ScopeWork, 'organizationId' | 'connectionId' | 'runId' | 'scope'>): Key =>
  keys.work(work.organizationId, work.connectionId, work.runId, work.scope);

const attributes = (work: ScopeWork) => ({
  organization_id: work.organizationId,
  connection_id: work.connectionId,
  run_id: work.runId,
  source: work.source,
  scope: work.scope,
  hop: work.hop,
  state: work.state,
  tries: work.tries,
  moved_at_ms: work.movedAtMs,
  waits_for: work.waitsFor,
  first_leased_at: work.firstLeasedAt,
  periods: work.periods,
  done: work.done,
  tenders: work.tenders,
  notices: work.notices,
  answers: work.answers,
  refused: work.refused,
  last_error_code: work.lastErrorCode,
  last_error_message: work.lastErrorMessage,
});

const fromItem = (item: table.Item): ScopeWork => ({
  organizationId: item.organization_id,
  connectionId: item.connection_id,
  runId: item.run_id,
  source: item.source,
  scope: item.scope,
  hop: item.hop,
  state: item.state,
  tries: item.tries,
  movedAtMs: item.moved_at_ms,
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

export const workItem = (work: ScopeWork, dueInMs: number): table.Item => ({
  ...keyOf(work),
  ...attributes(work),
  ...dueIn(keyOf(work), dueInMs),
  expires_at_epoch: nowSeconds() + RETENTION_SECONDS,
});

export const find = async (
  organizationId: string,
  connectionId: string,
  runId: string,
  scope: string,
): Promise<ScopeWork | undefined> => {
  const item = await table.get(keys.work(organizationId, connectionId, runId, scope));
  return item && fromItem(item);
};

/** What every scope of a run still has to do. */
export const listOfRun = async (organizationId: string, connectionId: string, runId: string): Promise<ScopeWork[]> => {
  const { pk, prefix } = keys.works(organizationId, connectionId, runId);
  return (await table.query(pk, { prefix })).map(fromItem);
};

/** A move of the work, conditional on the hop it was read with; for a transaction. */
export const workChange = (
  work: ScopeWork,
  changes: Partial<ScopeWork>,
  dueInMs: number | null,
): table.TransactItem => {
  const { organization_id, connection_id, run_id, source, scope, ...rest } = attributes({ ...work, ...changes });
  return {
    update: keyOf(work),
    set: { ...rest, ...(dueInMs === null ? {} : dueIn(keyOf(work), dueInMs)) },
    ...(dueInMs === null ? { remove: ['due_pk', 'due_sk'] } : {}),
    if: 'attribute_exists(pk) AND #hop = :seen AND #state <> :ended',
    values: { seen: work.hop, ended: 'ended' },
    otherwise: () => new WorkMoved(),
  };
};

/** The same, sent alone. Answers the work after the move. */
export const move = async (work: ScopeWork, changes: Partial<ScopeWork>, dueInMs: number): Promise<ScopeWork> => {
  const item = workChange(work, changes, dueInMs);
  if (!('update' in item)) throw new Error('a move is an update');
  const { update, ...change } = item;
  await table.update(update, change);
  return { ...work, ...changes };
};
