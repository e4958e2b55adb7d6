/** Brings the notices about totals up to date once all months of a run were read. */
import { findTotals } from '#shared/rows/read/read-totals.store.ts';
import { NOTHING_COUNTED } from '#shared/rows/write/period-counts.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { writtenNotices } from '#shared/sync/end/written-notices.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import type { SyncTask } from '#shared/sync/task/task.rules.ts';
import { noticeCode } from '#shared/values/notice-code.ts';

/**
 * Returns the task's notices with the totals of earlier months as they are now, or null if nothing changed. A later month
 * of the run may have taken rows from an earlier one, for example a pending invoice that was accepted. Without totals
 * nothing is compared, and the coverage says so.
 */
export const findTotalsNow = async (task: SyncTask, scope: ScopeDefinition): Promise<OutcomeNotice[] | null> => {
  const { organizationId, connectionId, done, notices } = task;
  const code = noticeCode(scopeId(scope), 'totals_differ');
  const address = { organizationId, connectionId, scope: scope.name };
  const earlier = done.slice(0, -1).flatMap(({ period }) => period ?? []);
  const now = await Promise.all(
    notices.map(async (notice) => {
      const period = notice.code === code && earlier.find((month) => notice.message.startsWith(`${month}:`));
      if (!period) return [notice];
      const { totals } = await findTotals(address, period);
      return writtenNotices(scope, period, { ...NOTHING_COUNTED, totals }, []);
    }),
  );
  const all = now.flat();
  return all.length === notices.length && all.every(({ message }, at) => message === notices[at]?.message) ? null : all;
};
