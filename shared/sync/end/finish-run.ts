/**
 * Ends scopes and runs. No counter is needed: the worker that writes an outcome reads the run. If this is the last
 * missing outcome of the run, one transaction writes the outcome, the terminal status, the connection, the event and
 * the deliveries, conditional on the run's version (architecture.md §5.4). After a conflict or an unknown result the
 * worker reads the run again.
 */

import type { AuditEvent } from '#shared/audit/audit.rules.ts';
import { logEvent } from '#shared/audit/audit.store.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { dirtyPeriods } from '#shared/rows/index/page-index.store.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { type Coverage, coverageAfter } from '#shared/sync/coverage/coverage.rules.ts';
import * as coverages from '#shared/sync/coverage/coverage.store.ts';
import { readLastComplete } from '#shared/sync/coverage/read-coverage.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { wakeAfter } from '#shared/sync/login/wake-waiters.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { runEnded, scopeEnded } from '#shared/sync/run/run-metrics.ts';
import {
  chooseEventType,
  eventData,
  freshOutcome,
  isDone,
  isTerminal,
  mostSevereError,
  type RunFailure,
  type ScopeOutcome,
  type SyncRun,
  type TerminalStatus,
  terminalStatus,
} from '#shared/sync/run.rules.ts';
import { reserveForRun } from '#shared/sync/task/may-take.ts';
import { buildOutcome, cancelledOutcome, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { listWithEnds, type StoredTask, taskChange } from '#shared/sync/task/task.store.ts';
import { type Lease, release } from '#shared/table/lease.ts';
import type * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { announceRun } from '#shared/webhooks/announce.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery.rules.ts';
import { enqueueDeliveries } from '#shared/webhooks/enqueue-delivery.ts';
import { closingNotices } from './closing-notices.ts';
import { closeOnConnection } from './connection-end.ts';

interface Closing {
  items: table.TransactItem[];
  deliveries: DeliveryMessage[];
  /** Event of a connection that moves to `error`; otherwise null. */
  failed: AuditEvent | null;
}

interface RunEnd {
  outcomes: Record<string, ScopeOutcome>;
  status: TerminalStatus;
  cancelledAt: string | null;
  /** Coverage by scope that the transaction stores. */
  covered: ReadonlyMap<string, Coverage>;
}

/** Returns the transaction items that a terminal status needs. */
const closingItems = async (run: SyncRun, { outcomes, status, cancelledAt, covered }: RunEnd): Promise<Closing> => {
  const { organizationId, connectionId } = run;
  const finishedAt = nowIso();
  const gravest = status === 'succeeded' ? null : mostSevereError(run.scopes, outcomes);
  const ended = { ...run, outcomes, status };
  const connection = await connections.find(organizationId, connectionId);
  const eventType = chooseEventType(status);
  const announced =
    eventType === null || status === 'cancelled'
      ? { items: [], deliveries: [] }
      : await announceRun({ organizationId, type: eventType, data: eventData(ended, status), at: finishedAt });
  const closed = connection
    ? closeOnConnection(connection, ended, {
        ...{ gravest, finishedAt },
        lastComplete: await readLastComplete(connection, covered),
      })
    : { items: [], failed: null };
  return {
    items: [
      runs.runChange(
        run,
        {
          status,
          outcomes,
          finishedAt,
          cancelledAt,
          errorCode: status === 'cancelled' ? null : (gravest?.code ?? null),
          errorMessage: status === 'cancelled' ? null : (gravest?.message ?? null),
        },
        { done: true },
      ),
      ...closed.items,
      ...announced.items,
    ],
    deliveries: announced.deliveries,
    failed: closed.failed,
  };
};

/** Sets the scope's outcome to `running` when the first worker of the scope begins. */
export const beginScope = async (task: SyncTask): Promise<void> => {
  await runs.advance(task.organizationId, task.connectionId, task.runId, (run) => {
    const outcome = run.outcomes[task.scope] ?? freshOutcome(task.scope);
    if (isTerminal(run) || isDone(outcome) || outcome.status === 'running') return { items: [], value: null };
    const outcomes = { ...run.outcomes, [task.scope]: { ...outcome, status: 'running' as const } };
    return { items: [runs.runChange(run, { outcomes }, null)], value: null };
  });
};

/**
 * Returns the scope's coverage after the outcome, with its item for the transaction that writes the outcome.
 * @param task null if no worker began
 */
const coverAfter = async (
  run: SyncRun,
  task: SyncTask | null,
  outcome: ScopeOutcome,
): Promise<{ coverage: Coverage; item: table.TransactItem }> => {
  const { organizationId, connectionId, id: runId } = run;
  const address: ScopeAddress = { organizationId, connectionId, scope: outcome.scope };
  const before = await coverages.find(address);
  const attempt = { runId, finishedAt: nowIso(), periodsMax: SYNC_LIMITS.coveragePeriodsMax };
  const coverage = coverageAfter(before, task, outcome, attempt);
  return { coverage, item: coverages.coveragePut(address, before, coverage) };
};

interface ScopeEnd {
  isWritten: boolean;
  /** True if the run has other open scopes, for which the slot is reserved. */
  goesOn: boolean;
  /** Status of the run if this scope ended the run; otherwise null. */
  closedAs: TerminalStatus | null;
  deliveries: DeliveryMessage[];
  failed: AuditEvent | null;
}

const NOT_WRITTEN: ScopeEnd = { isWritten: false, goesOn: false, closedAs: null, deliveries: [], failed: null };

const decideEnd = async (
  task: SyncTask,
  lease: Lease,
  run: SyncRun,
  outcome: ScopeOutcome,
): Promise<runs.Decision<ScopeEnd>> => {
  // The scope was cancelled in the meantime, or the answer to this end was lost. Only the lease is released.
  if (isTerminal(run)) return { items: release(lease), value: NOT_WRITTEN };
  if (isDone(run.outcomes[task.scope]))
    return { items: release(lease, reserveForRun()), value: { ...NOT_WRITTEN, goesOn: true } };
  const { coverage, item } = await coverAfter(run, task, outcome);
  const outcomes = { ...run.outcomes, [task.scope]: outcome };
  const status = terminalStatus(run.scopes, outcomes, run.cancelledAt);
  const cleanUp = [
    taskChange(task, { state: 'ended', generation: task.generation + 1 }, null),
    ...release(lease, status === null ? reserveForRun() : {}),
    item,
  ];
  if (status === null) {
    const items = [runs.runChange(run, { outcomes }, null), ...cleanUp];
    return { items, value: { ...NOT_WRITTEN, isWritten: true, goesOn: true } };
  }
  const covered = new Map([[task.scope, coverage]]);
  const { items, ...ended } = await closingItems(run, { outcomes, status, cancelledAt: run.cancelledAt, covered });
  return { items: [...items, ...cleanUp], value: { ...NOT_WRITTEN, isWritten: true, closedAs: status, ...ended } };
};

/**
 * Ends a scope under its lease. If the scope was the last open scope, also ends its run. Before the outcome is written,
 * every period whose index is dirty is reindexed from the rows.
 *
 * @param scope null if its definition was removed; in this case its stored rows are no longer visible
 */
export const endScope = async (
  task: SyncTask,
  lease: Lease,
  scope: ScopeDefinition | null,
  failure: RunFailure | null,
): Promise<void> => {
  const { organizationId, connectionId, runId } = task;
  const address: ScopeAddress = { organizationId, connectionId, scope: task.scope };
  if (scope) for (const period of await dirtyPeriods(address)) await reindex(address, scope, period, lease);

  const notices = await closingNotices(task, scope);
  const outcome = buildOutcome({ ...task, notices }, nowMs(), failure, scope?.label);
  const advanced = await runs.advance(organizationId, connectionId, runId, (run) =>
    decideEnd(task, lease, run, outcome),
  );
  const { isWritten, goesOn, closedAs, deliveries, failed } = advanced?.value ?? NOT_WRITTEN;
  if (failed !== null) logEvent(failed);
  log.info('a scope ended', {
    organization_id: organizationId,
    connection_id: connectionId,
    run_id: runId,
    scope: task.scope,
    status: outcome.status,
    code: outcome.errorCode ?? undefined,
    count: outcome.recordsFound ?? undefined,
    duration_ms: outcome.durationMs ?? undefined,
  });
  if (isWritten) scopeEnded(task.source, outcome);
  if (closedAs !== null) {
    log.info('a run ended', {
      organization_id: organizationId,
      connection_id: connectionId,
      run_id: runId,
      status: closedAs,
    });
    runEnded(task.source, closedAs);
  }
  await Promise.all([enqueueDeliveries(deliveries), wakeAfter(lease, goesOn ? runId : null)]);
};

/**
 * From this attempt on, a cancel ends the scopes even if their workers store checkpoints at the same time, so that busy
 * workers cannot make the cancel fail.
 */
const LAST_EXACT_CANCEL = SYNC_LIMITS.runChangeAttemptsMax / 2;

/**
 * Builds the outcome of a cancelled scope from its results so far, and the items that end the scope. With `isExact`,
 * writing the items fails if the worker stored a checkpoint in the meantime, so that the outcome includes everything in
 * the task.
 */
const cancelScope = async (
  run: SyncRun,
  scope: string,
  { stored, isExact }: { stored: StoredTask | undefined; isExact: boolean },
): Promise<{ outcome: ScopeOutcome; coverage: Coverage; items: table.TransactItem[] }> => {
  if (stored === undefined) {
    const outcome = cancelledOutcome(run.outcomes[scope] ?? freshOutcome(scope));
    const { coverage, item } = await coverAfter(run, null, outcome);
    return { outcome, coverage, items: [item] };
  }
  const { task, end } = stored;
  const definition = SCOPES.find(({ source, name }) => source === run.source && name === scope) ?? null;
  const notices = await closingNotices(task, definition);
  const isUnbegun = task.done.length === 0 && task.tenders === null;
  const outcome = cancelledOutcome(
    isUnbegun ? { ...freshOutcome(scope), notices } : buildOutcome({ ...task, notices }, nowMs(), null),
  );
  const { if: _asRead, values: _values, ...anyway } = end;
  const ended = isExact ? { ...end, otherwise: () => new runs.RunConflict() } : anyway;
  const { coverage, item } = await coverAfter(run, task, outcome);
  return { outcome, coverage, items: [item, ended] };
};

/**
 * Cancels a run. Idempotent and terminal. Open scopes get the outcome `cancelled` with their results so far; their
 * workers notice the cancel at their next write. Rows that such a worker still removes are reported only in the change
 * feed.
 */
export const cancelRun = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  runId: string,
): Promise<SyncRun | undefined> => {
  const advanced = await runs.advance(organizationId, connectionId, runId, async (run, attempt) => {
    if (isTerminal(run)) return { items: [], value: null };
    const open = run.scopes.filter((scope) => !isDone(run.outcomes[scope]));
    const tasks = run.status === 'queued' ? [] : await listWithEnds(organizationId, connectionId, runId);
    const cancelled = await Promise.all(
      open.map((scope) =>
        cancelScope(run, scope, {
          stored: tasks.find(({ task }) => task.scope === scope),
          isExact: attempt <= LAST_EXACT_CANCEL,
        }),
      ),
    );
    const outcomes = { ...run.outcomes };
    for (const { outcome } of cancelled) outcomes[outcome.scope] = outcome;
    const covered = new Map(cancelled.map(({ outcome, coverage }) => [outcome.scope, coverage]));
    const { items } = await closingItems(run, { outcomes, status: 'cancelled', cancelledAt: nowIso(), covered });
    return { items: [...items, ...cancelled.flatMap((each) => each.items)], value: run.source };
  });
  const cancelledOf = advanced?.value ?? null;
  if (cancelledOf !== null) runEnded(cancelledOf, 'cancelled');
  return runs.find(organizationId, connectionId, runId);
};
