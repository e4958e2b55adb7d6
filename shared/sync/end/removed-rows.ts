/** Rows that a run removed in months which none of its workers came to the end of: told at the end of the scope. */

import { NOTHING_COUNTED } from '#shared/rows/write/period-counts.ts';
import { countRemoved } from '#shared/rows/write/tombstone.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { addNotices, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { withoutEarlierRemovals, writtenNotices } from './written-notices.ts';

const wasWritten = ({ errorCode, isIncomplete }: SyncTask['done'][number]): boolean =>
  errorCode === null || isIncomplete === true;

/** Asks the table only where a month was begun by an earlier worker, or given up. */
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
 * What a scope that ends tells: the notices of its task, and the removed rows that none of them counts.
 * @param scope null where its definition was taken away
 */
export const noticesWithRemovals = async (task: SyncTask, scope: ScopeDefinition | null): Promise<OutcomeNotice[]> => {
  const removed = scope ? await untoldRemovals(task, scope) : [];
  return addNotices(withoutEarlierRemovals(task.notices, removed), removed, SYNC_LIMITS.noticesPerScopeMax);
};
