/**
 * Pages of rows that match `q`. The search indexes of the periods give the matching rows and their positions, so total
 * and order are known before a row is read. The cost is the size of the indexes (about 30 bytes per row) plus the rows
 * of the page, independent of the number of hits.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { type IndexedRow, inRange, relation } from '#shared/rows/index/page-index.rules.ts';
import { IndexConflict, occurringFacets, type SummaryView } from '#shared/rows/index/page-index.store.ts';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { findHits, type SearchPart } from '#shared/rows/index/search-index.rules.ts';
import { buildSearch, findSearchParts } from '#shared/rows/index/search-index.store.ts';
import { settledDays } from '#shared/rows/index/summary.ts';
import { wantedFacets } from '#shared/rows/item/facets.ts';
import { listRow } from '#shared/rows/item/row-items.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { rowMatcher } from '#shared/values/search-text.ts';
import type { PageRequest, RowPage } from './row-page.ts';

type Search = Pick<PageRequest, 'address' | 'scope' | 'filter'>;

/** Returns the exact value that the filter asks for, in scopes whose search index has one. */
const exactValue = ({ scope, filter }: Search): string | undefined => {
  const field = scope.search?.exact;
  return field === undefined ? undefined : (filter.facets[field] as string | undefined);
};

/** True if the rows must be found by the search index. */
export const needsSearch = (search: Search): boolean =>
  search.filter.q !== undefined || exactValue(search) !== undefined;

/** Returns a function that checks whether the searched text of a row matches `q` and the exact filter. */
export const textFilter = (search: Search): ((text: string) => boolean) =>
  rowMatcher({ q: search.filter.q, exact: exactValue(search) });

/** Packs the rows of a period that was written before its scope had search. Its next sync stores the index. */
const packPeriod = async ({ address, scope }: Search, period: string) => {
  const { parts } = buildSearch(await readPeriod(address, scope, period));
  return parts.map((part) => ({ period, part }));
};

interface Hit extends IndexedRow {
  period: string;
}

/**
 * Returns the rows of the given periods that match `q`, the exact filter, the facets and the days, in list order if the
 * periods are newest first.
 *
 * @throws IndexConflict
 */
export const findMatches = async (
  search: Search,
  { summary, isConsistent }: SummaryView,
  periods: readonly string[],
): Promise<Hit[]> => {
  const { address, scope, filter } = search;
  const wanted = wantedFacets(scope, occurringFacets(summary), filter.facets);
  const indexes = periods.flatMap((period) => {
    const { search } = mustGet(summary, period);
    return search ? [{ period, search }] : [];
  });
  const found = await findSearchParts(address, indexes, { isConsistent });
  if (!found) throw new IndexConflict();
  const indexed = Map.groupBy(found, ({ period }) => period);
  const parts: { period: string; part: SearchPart }[] = [];
  for (const period of periods) {
    const isIndexed = mustGet(summary, period).search !== undefined;
    parts.push(...(isIndexed ? (indexed.get(period) ?? []) : await packPeriod(search, period)));
  }
  const matches = textFilter(search);
  const isWanted = (facets: string, day: string) => wanted.has(facets) && inRange(day, filter.days);
  return parts.flatMap(({ period, part }) => findHits(part, matches, isWanted).map((hit) => ({ ...hit, period })));
};

/**
 * Returns a page of the rows that match `q` and the exact filter. Leaves out a row that moves while the page is read, as in any list.
 *
 * @throws IndexConflict
 */
export const searchOnce = async (request: PageRequest, view: SummaryView): Promise<RowPage> => {
  const { address, scope, filter, offset, limit } = request;
  const { summary, isConsistent } = view;
  const periods = Object.keys(summary)
    .filter((period) => filter.period === null || period === filter.period)
    .filter((period) => relation(mustGet(summary, period), filter.days) !== 'outside')
    .sort()
    .reverse();
  const hits = await findMatches(request, view, periods);
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
  const items = new Map([...settledRows, ...freshRows].map((item) => [`${item.pk} ${item.sk}`, item]));
  const rows = page.flatMap(({ period, pk, sk }) => {
    const item = items.get(`${pk} ${sk}`);
    return item ? [listRow(scope, item, mustGet(summary, period).syncedAt)] : [];
  });
  return { rows, total: hits.length };
};
