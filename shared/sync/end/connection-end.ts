/** What the end of a run means for its connection: its status, its last sync, and an event if it moves to `error`. */
import { type AuditEvent, BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { newEvent, putEvent } from '#shared/audit/audit.store.ts';
import { noteChanged } from '#shared/connections/changed-connections.store.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { RunConflict } from '#shared/sync/run/run.store.ts';
import { type RunFailure, type SyncRun, statusAfterRun, type TerminalStatus } from '#shared/sync/run.rules.ts';
import { stillAsRead } from '#shared/table/expressions.ts';
import { keys } from '#shared/table/keys.ts';
import type { TransactItem } from '#shared/table/table.ts';

interface ClosedOnConnection {
  items: TransactItem[];
  /** Event of a connection that moves to `error`, for the log line after the commit; otherwise null. */
  failed: AuditEvent | null;
}

export interface ConnectionEnd {
  gravest: Pick<RunFailure, 'code'> | null;
  finishedAt: string;
  /** The last complete month, from coverage that was read after the connection. */
  lastComplete: string | undefined;
}

/** Returns the items for the transaction that ends the run, conditional on what was read: status, error code and coverage. */
export const closeOnConnection = (
  { organizationId, id, status: was, lastErrorCode: lastCode, coverageRevision }: Connection,
  run: SyncRun & { status: TerminalStatus },
  { gravest, finishedAt, lastComplete }: ConnectionEnd,
): ClosedOnConnection => {
  const outcomes = run.scopes.map((scope) => run.outcomes[scope]);
  const status = statusAfterRun(
    was,
    run.status,
    outcomes.map((outcome) => outcome?.errorCode ?? null),
  );
  const code = run.status === 'succeeded' || run.status === 'cancelled' ? undefined : gravest?.code;
  const synced = run.scopes.filter((scope) => run.outcomes[scope]?.status === 'ok');
  const asRead = stillAsRead({ status: was, last_error_code: lastCode, coverage_revision: coverageRevision });
  const change: TransactItem = {
    update: keys.connection(organizationId, id),
    set: {
      status,
      last_sync_status: run.status,
      ...(run.status === 'succeeded' ? { last_successful_sync_at: finishedAt } : {}),
      last_error_code: code,
      last_complete_period: lastComplete,
    },
    remove: [
      ...(code === undefined ? ['last_error_code'] : []),
      ...(lastComplete === undefined ? ['last_complete_period'] : []),
    ],
    take: { open_runs: new Set([run.id]) },
    add: { coverage_revision: 1, ...(synced.length > 0 ? { synced_scopes: new Set(synced) } : {}) },
    if: `attribute_exists(pk) AND ${asRead.if}`,
    values: asRead.values,
    // The status, the error, the scopes or the coverage changed after they were read, so the caller decides again.
    otherwise: () => new RunConflict(),
  };
  const isFailure = status === 'error' && was !== 'error';
  const failed = isFailure ? newEvent({ organizationId, action: 'connection.failed', targetId: id }, BY_SERVICE) : null;
  const isListedAsBefore = status === was && code === lastCode;
  const items = [
    change,
    ...(failed === null ? [] : [putEvent(failed)]),
    ...(isListedAsBefore ? [] : [noteChanged(organizationId, id)]),
  ];
  return { items, failed };
};
