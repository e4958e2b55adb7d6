/**
 * Pages of rows that match `q`. The search indexes of the periods give the matching rows and their positions, so total
 * and order are known before a row is read. The cost is the size of the indexes (about 30 bytes per row) plus the rows
 * of the page, independent of the number of hits.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { inRange, relation } from '#shared/rows/index/page-index.rules.ts';
import { IndexConflict, occurringFacets, type SummaryView } from '#shared/rows/index/page-index.store.ts';
import { findHits } from '#shared/rows/index/search-index.rules.ts';
import { findSearchParts } from '#shared/rows/index/search-index.store.ts';
import { settledDays } from '#shared/rows/index/summary.ts';
import { wantedFacets } from '#shared/rows/item/facets.ts';
import { listRow } from '#shared/rows/item/row-items.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { textMatcher } from '#shared/values/search-text.ts';
import type { PageRequest, RowPage } from './row-page.ts';

/**
 * Returns a page of the rows that match `q`. Leaves out a row that moves while the page is read, as in any list.
 *
 * @throws IndexConflict
 */
export const searchOnce = async (
  request: PageRequest,
  q: string,
  { summary, isConsistent }: SummaryView,
): Promise<RowPage> => {
  const { address, scope, filter, offset, limit } = request;
  const wanted = wantedFacets(scope, occurringFacets(summary), filter.facets);
  const periods = Object.keys(summary)
    .filter((period) => filter.period === null || period === filter.period)
    .filter((period) => relation(mustGet(summary, period), filter.days) !== 'outside')
    .sort()
    .reverse();
  const indexes = periods.map((period) => {
    const { search } = mustGet(summary, period);
    // The period was written before its scope had search. The next sync or repair of the period builds the search
    // index.
    if (!search) throw new Error(`${scope.name} ${period} has no search index`);
    return { period, search };
  });
  const parts = await findSearchParts(address, indexes, { isConsistent });
  if (!parts) throw new IndexConflict();
  const matches = textMatcher(q);
  const isWanted = (facets: string, day: string) => wanted.has(facets) && inRange(day, filter.days);
  const hits = parts.flatMap(({ period, part }) =>
    findHits(part, matches, isWanted).map((hit) => ({ ...hit, period })),
  );

  const page = hits.slice(offset, offset + limit).map(({ period, facets, sortKey }) => ({
    period,
    pk: keys.rows(address, period, facets),
    sk: sortKey,
  }));
  const atMs = nowMs();
  const isSettled = (period: string): boolean => !isConsistent && settledDays(mustGet(summary, period), atMs) !== null;
  const settled = page.filter(({ period }) => isSettled(period));
  const [settledRows, freshRows] = await Promise.all([
    table.batchGet(settled, { consistent: false }),
    table.batchGet(page.filter(({ period }) => !isSettled(period))),
  ]);
  if (settledRows.length < settled.length) throw new IndexConflict();
  const found = new Map([...settledRows, ...freshRows].map((item) => [`${item.pk} ${item.sk}`, item]));
  const rows = page.flatMap(({ period, pk, sk }) => {
    const item = found.get(`${pk} ${sk}`);
    return item ? [listRow(scope, item, mustGet(summary, period).syncedAt)] : [];
  });
  return { rows, total: hits.length };
};
