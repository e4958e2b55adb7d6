/** Builds the notices of a scope that ends. Some of them can be built only after all months of the run were read. */

import { NOTHING_COUNTED } from '#shared/rows/write/period-counts.ts';
import { countRemoved } from '#shared/rows/write/tombstone.store.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { notShownNotices, wasRead } from '#shared/sync/task/period-done.rules.ts';
import { addNotices, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { breakNotices } from '#shared/sync/task/walk-breaks.rules.ts';
import { withoutEarlierRemovals, writtenNotices } from './written-notices.ts';

/**
 * Returns notices of the rows that the run removed from months that none of its workers finished. Queries the table
 * only if the run has such a month.
 */
const untoldRemovals = async (task: SyncTask, scope: ScopeDefinition): Promise<OutcomeNotice[]> => {
  const { organizationId, connectionId, runId, firstFence, periods } = task;
  const mayRemove = scope.statement || scope.numbered || scope.totals?.neverMoves;
  if (!mayRemove || firstFence === null || periods === null) return [];
  const told = new Set(task.done.filter(wasRead).map(({ period }) => period));
  if (periods.every((period) => told.has(period))) return [];
  const removed = await countRemoved({ organizationId, connectionId, scope: scope.name }, runId, firstFence);
  return [...removed].flatMap(([period, count]) =>
    told.has(period) ? [] : writtenNotices(scope, period, { ...NOTHING_COUNTED, removed: count }, []),
  );
};

/**
 * Returns the notices of a scope that ends: the notices of its task, notices of removed rows that no task notice counts,
 * and notices of months that do not add up or whose rows no month of the run shows.
 * @param scope null if its definition was removed
 */
export const closingNotices = async (task: SyncTask, scope: ScopeDefinition | null): Promise<OutcomeNotice[]> => {
  if (scope === null) return task.notices;
  const removed = await untoldRemovals(task, scope);
  const ofMonths = [...breakNotices(scopeId(scope), task.done), ...notShownNotices(scopeId(scope), task.done)];
  const before = withoutEarlierRemovals(task.notices, removed);
  return addNotices(before, [...removed, ...ofMonths], SYNC_LIMITS.noticesPerScopeMax);
};
