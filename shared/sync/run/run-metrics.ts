/** Records metrics of how runs and scopes ended, by source and never by organization. */

import type { ScopeCause } from '#shared/platform/metric-catalogue.ts';
import { record } from '#shared/platform/metrics.ts';
import type { ScopeOutcome, TerminalStatus } from '#shared/sync/run.rules.ts';
import { SYNC_ERRORS, type SyncErrorCode } from '#shared/values/sync-errors.ts';

const causeOf = (code: SyncErrorCode | null): ScopeCause => {
  if (code === null) return 'none';
  return code === 'source.unexpected_response' ? 'unexpected' : SYNC_ERRORS[code].responsible;
};

const recordSome = (name: 'RowsCreated' | 'RowsUpdated', count: number | null, source: string): void => {
  // Counts of 0 are not recorded, because most syncs find no new rows and each log line costs money.
  if (count !== null && count > 0) record(name, count, { source });
};

/** Must be called once per stored outcome. */
export const scopeEnded = (source: string, outcome: ScopeOutcome): void => {
  record('ScopesEnded', 1, { source, cause: causeOf(outcome.errorCode) });
  record('ScopeDuration', outcome.durationMs ?? 0, { scope: `${source}.${outcome.scope}` });
  recordSome('RowsCreated', outcome.recordsCreated, source);
  recordSome('RowsUpdated', outcome.recordsUpdated, source);
};

/** Must be called once per run. */
export const runEnded = (source: string, status: TerminalStatus): void => record('RunsEnded', 1, { source, status });
