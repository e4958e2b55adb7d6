/**
 * Sums the rows of a list under its filters. Whole months come from their stored totals; the other rows are read
 * consistently, and the indexes of their months must have the same version before and after the read.
 */

import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { countRows, inRange, relation } from '#shared/rows/index/page-index.rules.ts';
import {
  findPeriods,
  findSummary,
  IndexConflict,
  occurringFacets,
  type StoredIndex,
} from '#shared/rows/index/page-index.store.ts';
import type { Summary } from '#shared/rows/index/summary.ts';
import { unpackTotals } from '#shared/rows/index/totals-codec.ts';
import { wantedFacets } from '#shared/rows/item/facets.ts';
import { parseRow, rowSearchText } from '#shared/rows/item/row-items.ts';
import { daySpan, rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row, SummedScope } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import { ConflictError } from '#shared/values/conflicts.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { type GroupSums, mergeGroups, type SummedGroup, sumRows } from './period-sums.rules.ts';
import type { PageRequest } from './row-page.ts';
import { findMatches, needsSearch, textFilter } from './search-page.store.ts';
import { sumStored } from './stored-sums.ts';

/** The filter wants too many rows or months to sum in one request. */
export class TooMuchToSum extends AppError {
  readonly count: number;
  readonly noun: 'rows' | 'months';
  constructor(count: number, noun: 'rows' | 'months') {
    super(`too many ${noun} to add up`);
    this.count = count;
    this.noun = noun;
  }
}

export interface SumRequest extends Pick<PageRequest, 'address' | 'filter'> {
  scope: SummedScope;
}

/** Months in which the filter wants rows, with their indexes. */
interface Months {
  summary: Summary;
  indexes: ReadonlyMap<string, StoredIndex>;
  wanted: ReadonlySet<string>;
}

const ATTEMPTS_MAX = 3;

const findMonths = async ({ address, scope, filter }: SumRequest, summary: Summary): Promise<Months> => {
  const wanted = wantedFacets(scope, occurringFacets(summary), filter.facets);
  const stored = Object.keys(summary).filter((period) => {
    const entry = mustGet(summary, period);
    return relation(entry, filter.days) !== 'outside' && [...wanted].some((facets) => (entry.totals[facets] ?? 0) > 0);
  });
  // A month without rows may be written for the first time at this moment.
  const periods = filter.period === null ? stored : [filter.period];
  if (periods.length > ROW_LIMITS.summedMonthsMax) throw new TooMuchToSum(periods.length, 'months');
  const indexes = await findPeriods(address, periods);
  for (const period of periods)
    if ((indexes.get(period)?.version ?? 0) !== (summary[period]?.version ?? 0)) throw new IndexConflict();
  return { summary, indexes, wanted };
};

/** @throws IndexConflict while a worker writes one of the months, or if a month has changed */
const refuseChanged = (before: ReadonlyMap<string, StoredIndex>, now: ReadonlyMap<string, StoredIndex>): void => {
  for (const [period, { version }] of before) {
    const stored = now.get(period);
    if (stored?.version !== version || stored.dirty) throw new IndexConflict();
  }
};

const countIn = ({ indexes, wanted }: Months, { days }: PageRequest['filter'], period: string): number => {
  const index = indexes.get(period)?.index;
  return index ? countRows(index, wanted, days) : 0;
};

/** Reads the wanted partitions of the months, and returns the rows that the whole filter matches. */
const readPartitions = async (request: SumRequest, months: Months, periods: readonly string[]): Promise<Row[]> => {
  const { address, scope, filter } = request;
  const { days } = filter;
  const matches = textFilter(request);
  const isText = needsSearch(request);
  const partitions = periods.flatMap((period) =>
    (months.indexes.get(period)?.index?.facets ?? [])
      .filter((facets) => months.wanted.has(facets))
      .map((facets) => ({ period, facets })),
  );
  const read = new Map<string, number>();
  const rows: Row[] = [];
  await forEachConcurrent(partitions, TABLE_LIMITS.tableParallelMax, async ({ period, facets }) => {
    const pk = keys.rows(address, period, facets);
    for (const item of await table.query(pk, { ...daySpan(days.from, days.to), attributes: ['sk', 'row'] })) {
      if (!inRange(rowSortKeyParts(item.sk).day, days)) continue;
      read.set(period, (read.get(period) ?? 0) + 1);
      const row = parseRow(item);
      if (!isText || matches(rowSearchText(scope, row) ?? '')) rows.push(row);
    }
  });
  for (const period of periods)
    if ((read.get(period) ?? 0) !== countIn(months, filter, period)) throw new IndexConflict();
  return rows;
};

/** Reads the wanted rows of the months in the cheaper of two ways: by partition, or by the keys that the search finds. */
const readRows = async (request: SumRequest, months: Months, periods: readonly string[]): Promise<Row[]> => {
  const counts = new Map(periods.map((period) => [period, countIn(months, request.filter, period)]));
  const filled = periods.filter((period) => mustGet(counts, period) > 0);
  const inPartitions = filled.reduce((sum, period) => sum + mustGet(counts, period), 0);
  const view = { summary: months.summary, isConsistent: true };
  const hits = needsSearch(request) ? await findMatches(request, view, filled) : null;
  const byKey = hits ? hits.length * ROW_LIMITS.queriedRowsPerRead : Number.POSITIVE_INFINITY;
  if (Math.min(byKey, inPartitions) > ROW_LIMITS.summedRowsMax) throw new TooMuchToSum(inPartitions, 'rows');
  if (hits === null || byKey >= inPartitions) return readPartitions(request, months, filled);
  const found = await table.batchGet(
    hits.map(({ period, facets, sortKey }) => ({ pk: keys.rows(request.address, period, facets), sk: sortKey })),
    { attributes: ['row'] },
  );
  if (found.length < hits.length) throw new IndexConflict();
  return found.map(parseRow);
};

const readConsistently = async (request: SumRequest, months: Months, periods: readonly string[]) => {
  const before = new Map([...months.indexes].filter(([period]) => periods.includes(period)));
  refuseChanged(before, before);
  const rows = await readRows(request, months, periods);
  if (before.size > 0) refuseChanged(before, await findPeriods(request.address, [...before.keys()]));
  return rows;
};

/** @throws ConflictError `connection_sync_in_progress` while a worker writes one of the months */
const whileStanding = async <T>(request: SumRequest, first: Summary | null, read: (months: Months) => Promise<T>) => {
  try {
    return await retryOnConflict([IndexConflict], ATTEMPTS_MAX, async (n) =>
      read(await findMonths(request, n === 1 && first ? first : await findSummary(request.address))),
    );
  } catch (error) {
    if (error instanceof IndexConflict) throw new ConflictError('connection_sync_in_progress');
    throw error;
  }
};

/**
 * Returns the sums of the rows that the filter matches, by group. Empty if no row matches.
 *
 * @param summary as read together with the connection
 * @throws `TooMuchToSum`; `ConflictError` `connection_sync_in_progress`
 */
export const sumMatching = (request: SumRequest, summary: Summary): Promise<SummedGroup[]> =>
  whileStanding(request, summary, async (months) => {
    const { scope, filter } = request;
    const groups: SummedGroup[] = [];
    const left: string[] = [];
    for (const [period, { totals }] of months.indexes) {
      const entry = months.summary[period];
      const stored = entry && sumStored(scope, filter, entry, totals && unpackTotals(totals));
      if (stored) groups.push(...stored);
      else left.push(period);
    }
    const rows = await readConsistently(request, months, left);
    return mergeGroups(scope.agent, [...groups, ...sumRows(scope.agent, rows)]);
  });

/**
 * Returns the sums as `sumMatching` does, with the numbers of rows without an amount. Stored totals do not contain these
 * numbers, so all rows are read.
 *
 * @throws `TooMuchToSum`; `ConflictError` `connection_sync_in_progress`
 */
export const sumReadRows = (request: SumRequest): Promise<GroupSums[]> =>
  whileStanding(request, null, async (months) =>
    sumRows(request.scope.agent, await readConsistently(request, months, [...months.indexes.keys()])),
  );
