/** Reports rows that a run removed in months that none of its workers finished, at the end of the scope. */

import { NOTHING_COUNTED } from '#shared/rows/write/period-counts.ts';
import { countRemoved } from '#shared/rows/write/tombstone.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { addNotices, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { withoutEarlierRemovals, writtenNotices } from './written-notices.ts';

const wasWritten = ({ errorCode, isIncomplete }: SyncTask['done'][number]): boolean =>
  errorCode === null || isIncomplete === true;

/**
 * Returns notices of the rows that the run removed from months that none of its workers finished. Queries the table
 * only if the run has such a month.
 */
const untoldRemovals = async (task: SyncTask, scope: ScopeDefinition): Promise<OutcomeNotice[]> => {
  const { organizationId, connectionId, runId, firstFence, periods } = task;
  if (!(scope.statement || scope.numbered) || firstFence === null || periods === null) return [];
  const told = new Set(task.done.filter(wasWritten).map(({ period }) => period));
  if (periods.every((period) => told.has(period))) return [];
  const removed = await countRemoved({ organizationId, connectionId, scope: scope.name }, runId, firstFence);
  return [...removed].flatMap(([period, count]) =>
    told.has(period) ? [] : writtenNotices(scope, period, { ...NOTHING_COUNTED, removed: count }, []),
  );
};

/**
 * Returns the notices of a scope that ends: the notices of its task, and notices of removed rows that no task notice
 * counts.
 * @param scope null if its definition was removed
 */
export const noticesWithRemovals = async (task: SyncTask, scope: ScopeDefinition | null): Promise<OutcomeNotice[]> => {
  const removed = scope ? await untoldRemovals(task, scope) : [];
  return addNotices(withoutEarlierRemovals(task.notices, removed), removed, SYNC_LIMITS.noticesPerScopeMax);
};
