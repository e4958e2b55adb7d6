/** Reads the completeness data of months: the summaries of scopes, and the totals of a month. */

import { isDeepStrictEqual } from 'node:util';
import { periodItem } from '#shared/rows/index/page-index.store.ts';
import { type Summary, summarizeTieOut, summaryFromItem } from '#shared/rows/index/summary.ts';
import { unpackTotals } from '#shared/rows/index/totals-codec.ts';
import { joinAddress, type ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { VersionConflict } from '#shared/values/app-error.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';

/** Returns summaries by `joinAddress`. A scope without stored rows has no entry. */
export const findSummaries = async (
  addresses: readonly ScopeAddress[],
  { isConsistent }: { isConsistent: boolean },
): Promise<Map<string, Summary>> => {
  if (addresses.length === 0) return new Map();
  const scopes = new Map(addresses.map((address) => [keys.summary(address).pk, joinAddress(address)]));
  const items = await table.batchGet(addresses.map(keys.summary), { consistent: isConsistent });
  return new Map(items.map((item) => [mustGet(scopes, item.pk), summaryFromItem(item)]));
};

class TotalsConflict extends VersionConflict {}

/**
 * Returns a summary and the totals of one of its months, both from the same version. The totals are null if the source
 * reported no totals.
 */
export const findTotals = (
  address: ScopeAddress,
  period: string,
): Promise<{ summary: Summary; totals: PeriodTotals | null }> =>
  retryOnConflict([TotalsConflict], ROW_LIMITS.indexReadAttemptsMax, async () => {
    const wanted = [keys.summary(address), keys.period(address, period)];
    const items = await table.batchGet(wanted);
    const summary = summaryFromItem(items.find(({ sk }) => sk === wanted[0]!.sk));
    const found = items.find(({ sk }) => sk === wanted[1]!.sk);
    const stored = found && periodItem.fromItem(found);
    const totals = stored?.totals ? unpackTotals(stored.totals) : null;
    const isOfOneTime =
      summary[period]?.version === stored?.version &&
      isDeepStrictEqual(summarizeTieOut(totals).tieOut, summary[period]?.tieOut);
    if (!isOfOneTime) throw new TotalsConflict();
    return { summary, totals };
  });
