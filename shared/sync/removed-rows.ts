/** Rows that a run removed in months which none of its workers came to the end of: told at the end of the scope. */

import { countRemoved } from '#shared/rows/tombstone.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { OutcomeNotice } from './run.rules.ts';
import type { SyncTask } from './task.rules.ts';
import { writtenNotices } from './written-notices.ts';

const wasWritten = ({ errorCode, isIncomplete }: SyncTask['done'][number]): boolean =>
  errorCode === null || isIncomplete === true;

/** Asks the table only where a month was begun by an earlier worker, or given up. */
export const untoldRemovals = async (task: SyncTask, scope: ScopeDefinition): Promise<OutcomeNotice[]> => {
  const { organizationId, connectionId, runId, firstFence, periods } = task;
  if (!(scope.statement || scope.numbered) || firstFence === null || periods === null) return [];
  const told = new Set(task.done.filter(wasWritten).map(({ period }) => period));
  if (periods.every((period) => told.has(period))) return [];
  const removed = await countRemoved({ organizationId, connectionId, scope: scope.name }, runId, firstFence);
  return [...removed].flatMap(([period, count]) =>
    told.has(period) ? [] : writtenNotices(scope, period, { removed: count }, []),
  );
};
