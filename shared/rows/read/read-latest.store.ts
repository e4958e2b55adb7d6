/**
 * Finds the newest row of every facet combination under a filter (for balances: per account and currency). Takes one
 * exact read per combination, and a second read if a date bound cuts a month in which the combination has no row. The
 * length of the history does not change the number of reads.
 */

import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { type DayRange, relation } from '#shared/rows/index/page-index.rules.ts';
import { occurringFacets } from '#shared/rows/index/page-index.store.ts';
import type { Summary } from '#shared/rows/index/summary.ts';
import { wantedFacets } from '#shared/rows/item/facets.ts';
import { listRow } from '#shared/rows/item/row-items.ts';
import { daySpan } from '#shared/rows/item/row-keys.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';

/** Returns the rows, newest first; rows of the same time by descending id. */
export const readLatest = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  filter: { facets: Readonly<Record<string, unknown>>; days: DayRange },
  summary: Summary,
): Promise<Row[]> => {
  const periods = Object.keys(summary)
    .filter((period) => relation(mustGet(summary, period), filter.days) !== 'outside')
    .sort()
    .reverse();
  const span = daySpan(filter.days.from, filter.days.to);
  const newestOf = async (facets: string): Promise<{ period: string; item: table.Item } | undefined> => {
    for (const period of periods) {
      if (!mustGet(summary, period).totals[facets]) continue;
      const pk = keys.rows(address, period, facets);
      const [item] = await table.query(pk, { descending: true, limit: 1, ...span });
      if (item) return { period, item };
    }
    return undefined;
  };
  const found: { period: string; item: table.Item }[] = [];
  const wanted = wantedFacets(scope, occurringFacets(summary), filter.facets);
  await forEachConcurrent([...wanted], TABLE_LIMITS.tableParallelMax, async (facets) => {
    const newest = await newestOf(facets);
    if (newest) found.push(newest);
  });
  return found
    .sort((a, b) => (a.item.sk < b.item.sk ? 1 : -1))
    .map(({ period, item }) => listRow(scope, item, mustGet(summary, period).syncedAt));
};
