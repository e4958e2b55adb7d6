/**
 * Sync runs. Every change is conditional on the run's version. After a conflict, the caller reads the run again and
 * decides again.
 */

import * as z from 'zod';
import * as connections from '#shared/connections/connection.store.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { isTerminal, type SyncRun, SyncRunSchema } from '#shared/sync/run.rules.ts';
import { newTask, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { putTask } from '#shared/sync/task/task.store.ts';
import { describeStart, startDelayMs } from '#shared/sync/task/task-start.ts';
import { DUE_ATTRIBUTES, dueIn } from '#shared/table/due-index.ts';
import { item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn, isExpired } from '#shared/table/ttl.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';

export const runItem = item('run', SyncRunSchema);

const keyOf = (run: Pick<SyncRun, 'organizationId' | 'connectionId' | 'id'>): Key =>
  keys.run(run.organizationId, run.connectionId, run.id);

export class TooManyOpenRuns extends AppError {}
/** Another writer changed the run in the meantime. */
export class RunConflict extends VersionConflict {}

/**
 * Returns the item of a new run, for a transaction that also adds the run to the open runs of its connection. If its
 * message is lost, the sweeper sends the message again.
 */
export const putQueued = (run: SyncRun): table.TransactItem => ({
  put: {
    ...keyOf(run),
    ...runItem.toItem(run),
    ...dueIn(keyOf(run), MESSAGING_LIMITS.messageGraceMs),
    ...expiresIn(RETENTION_SECONDS),
  },
  if: 'attribute_not_exists(pk)',
  otherwise: () => new RunExists(),
});

/** The present state of the connection does not allow its schedule to start a run. */
export class ScheduleRefused extends AppError {}

/** Creates the run of one firing of a schedule. Fails if a run is open or the schedule no longer has this revision. */
export const createScheduled = async (run: SyncRun, revision: number): Promise<void> =>
  table.transact([
    putQueued(run),
    {
      update: keys.connection(run.organizationId, run.connectionId),
      add: { open_runs: new Set([run.id]) },
      if:
        'attribute_exists(pk) AND attribute_not_exists(#open_runs) AND #status <> :disabled AND #status <> :error ' +
        'AND #schedule.#enabled = :true AND #schedule.#revision = :revision',
      values: { disabled: 'disabled', error: 'error', true: true, revision },
      otherwise: () => new ScheduleRefused(),
    },
  ]);

/** Creates a queued run and adds it to the connection's open runs, in one transaction. */
export const create = async (run: SyncRun): Promise<void> => {
  try {
    await table.transact([
      putQueued(run),
      {
        update: keys.connection(run.organizationId, run.connectionId),
        add: { open_runs: new Set([run.id]) },
        if: 'attribute_exists(pk) AND #status <> :disabled AND (attribute_not_exists(#open_runs) OR size(#open_runs) < :max)',
        values: { disabled: 'disabled', max: SYNC_LIMITS.openRunsPerConnectionMax },
        otherwise: () => new TooManyOpenRuns(),
      },
    ]);
  } catch (error) {
    if (!(error instanceof TooManyOpenRuns)) throw error;
    const connection = await connections.find(run.organizationId, run.connectionId);
    if (!connection) throw new connections.ConnectionGone();
    if (connection.status === 'disabled') throw new ConflictError('connection_disabled');
    throw error;
  }
};

/** The run exists: an earlier call wrote it, but its response was lost. */
export class RunExists extends AppError {}

export const find = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
): Promise<SyncRun | undefined> => {
  const found = await table.get(keys.run(organizationId, connectionId, runId));
  return found && !isExpired(found) ? runItem.fromItem(found) : undefined;
};

/** Returns the newest runs, newest first. */
export const listNewest = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  limit: number,
): Promise<SyncRun[]> => {
  const { pk, prefix } = keys.runs(organizationId, connectionId);
  const items = await table.query(pk, { prefix, descending: true, limit });
  return items.filter((found) => !isExpired(found)).map(runItem.fromItem);
};

/** Returns the version-checked update of a run, for a transaction or for a single write. */
export const runChange = (
  run: SyncRun,
  set: Partial<
    Pick<
      SyncRun,
      'status' | 'outcomes' | 'startedAt' | 'finishedAt' | 'cancelledAt' | 'errorCode' | 'errorMessage' | 'login'
    >
  >,
  due: { dueIn: number } | { done: true } | null,
): { update: Key } & Parameters<typeof table.update>[1] => {
  const key = keyOf(run);
  return {
    update: key,
    set: {
      ...runItem.toChanges({ ...set, version: run.version + 1 }),
      ...(due && 'dueIn' in due ? dueIn(key, due.dueIn) : {}),
    },
    ...(due && 'done' in due ? { remove: [...DUE_ATTRIBUTES] } : {}),
    if: 'attribute_exists(pk) AND #version = :seen',
    values: { seen: run.version },
    otherwise: () => new RunConflict(),
  };
};

/**
 * Makes the run due again after `ms` milliseconds.
 *
 * @throws RunConflict
 */
export const postpone = async (run: SyncRun, ms: number): Promise<void> => {
  const { update: key, ...change } = runChange(run, {}, { dueIn: ms });
  await table.update(key, change);
};

export interface Decision<Value> {
  /** Items of one transaction. Empty if nothing is left to write. */
  items: table.TransactItem[];
  /** Returned to the caller once the decision is written. */
  value: Value;
}

/**
 * Writes the items. A single item is written without a transaction, at half the cost. If the SDK repeats the request,
 * the version check fails and the caller decides again.
 */
const write = async (items: readonly table.TransactItem[]): Promise<void> => {
  const [first, ...others] = items;
  if (first === undefined) return;
  if (others.length > 0 || !('update' in first)) return table.transact(items);
  const { update, ...change } = first;
  await table.update(update, change);
};

/**
 * Reads the run, decides and writes, and starts over if another writer was faster. `decide` receives the number of the
 * attempt, starting at 1.
 * @returns the run that the last decision used, and the value of that decision; undefined if the run does not exist
 */
export const advance = async <Value>(
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
  decide: (run: SyncRun, attempt: number) => Promise<Decision<Value>> | Decision<Value>,
): Promise<{ run: SyncRun; value: Value } | undefined> =>
  retryOnConflict([RunConflict], SYNC_LIMITS.runChangeAttemptsMax + 1, async (attempt) => {
    const run = await find(organizationId, connectionId, runId);
    if (!run) return undefined;
    const { items, value } = await decide(run, attempt);
    await write(items);
    return { run, value };
  });

/**
 * Moves a run from `queued` to `running` and creates one task per scope. A second dispatch changes nothing.
 * @param waiting scopes that another scope of the run wakes
 */
export const start = async (
  { organizationId, connectionId, id: runId }: Pick<SyncRun, 'organizationId' | 'connectionId' | 'id'>,
  startedAt: string,
  waiting: readonly string[] = [],
): Promise<SyncRun | undefined> => {
  const taskOf = (run: SyncRun, scope: string): SyncTask => {
    const named = { organizationId, connectionId, runId, source: run.source, scope };
    const task = newTask(named, nowMs(), waiting.includes(scope) ? { for: 'run' } : null);
    return { ...describeStart(run), ...task };
  };
  const dueInMs = (task: SyncTask): number =>
    task.waitsFor === null
      ? startDelayMs(task) + MESSAGING_LIMITS.messageGraceMs
      : SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;
  await advance(organizationId, connectionId, runId, (run) => {
    if (run.status !== 'queued') return { items: [], value: null };
    const begun = runChange(run, { status: 'running', startedAt }, { dueIn: SYNC_LIMITS.runCheckMs });
    const tasks = run.scopes.map((scope) => taskOf(run, scope));
    return { items: [begun, ...tasks.map((task) => putTask(task, dueInMs(task)))], value: null };
  });
  return find(organizationId, connectionId, runId);
};

const RunProgressSchema = z.object({
  stage: z.enum(['queued', 'connecting', 'downloading', 'storing', 'finishing']),
  message: z.string().nullable(),
  updatedAt: z.string(),
  /** Until when the institution waits for a person's approval; absent while it does not. */
  approvalUntil: z.string().optional(),
});
export interface RunProgress extends z.infer<typeof RunProgressSchema> {}

export const progressItem = item('run progress', z.object({ progress: RunProgressSchema }));

/**
 * Writes the progress of a run, which may be lost. Progress is written outside the run's item, so that the write never
 * conflicts with the run's version.
 */
export const noteProgress = async (
  run: Pick<SyncRun, 'organizationId' | 'connectionId' | 'id'>,
  progress: RunProgress,
): Promise<void> => {
  await table.put({
    ...keys.progress(run.organizationId, run.connectionId, run.id),
    ...progressItem.toItem({ progress }),
    ...expiresIn(RETENTION_SECONDS),
  });
};

const readProgresses = async (wanted: readonly Key[]): Promise<Map<string, RunProgress>> =>
  new Map(
    (await table.batchGet(wanted)).map((found) => [
      found.sk.slice(found.sk.indexOf('#') + 1),
      progressItem.fromItem(found).progress,
    ]),
  );

export const findProgresses = (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runIds: readonly string[],
): Promise<Map<string, RunProgress>> =>
  readProgresses(runIds.map((runId) => keys.progress(organizationId, connectionId, runId)));

/** Returns runs of any connections with their progress, by the ids of the runs. */
export const findMany = async (
  named: readonly { organizationId: OrganizationId; connectionId: ConnectionId; runId: string }[],
): Promise<Map<string, { run: SyncRun; progress: RunProgress | undefined }>> => {
  const runKeys = named.map(({ organizationId, connectionId, runId }) => keys.run(organizationId, connectionId, runId));
  const found = await table.batchGet(runKeys);
  const runs = found.filter((each) => !isExpired(each)).map(runItem.fromItem);
  const open = runs.filter((run) => !isTerminal(run));
  const progresses = await readProgresses(
    open.map((run) => keys.progress(run.organizationId, run.connectionId, run.id)),
  );
  return new Map(runs.map((run) => [run.id, { run, progress: progresses.get(run.id) }]));
};
