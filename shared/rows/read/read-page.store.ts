/**
 * Reads pages of synchronized rows. `SUMMARY` gives the total and the period in which the page begins. The `PERIOD`
 * item of that period gives the start position and the number of rows per facet partition. A page at offset 100,000
 * costs the same as the first page, with or without a filter.
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import { connectionItem } from '#shared/connections/connection.store.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { countRows, type DayRange, type PagePlan, planPage, totalsIn } from '#shared/rows/index/page-index.rules.ts';
import {
  findPeriods,
  IndexConflict,
  occurringFacets,
  type StoredIndex,
  type SummaryView,
  whileIndexStands,
} from '#shared/rows/index/page-index.store.ts';
import { fitsDays } from '#shared/rows/index/settled-rows.rules.ts';
import { type Summary, settledDays, summaryFromItem } from '#shared/rows/index/summary.ts';
import { wantedFacets } from '#shared/rows/item/facets.ts';
import { inflateRaw, listRow, storedFullRow } from '#shared/rows/item/row-items.ts';
import { daySeekKey } from '#shared/rows/item/row-keys.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';
import type { PageRequest, RowPage } from './row-page.ts';
import { needsSearch, searchOnce } from './search-page.store.ts';

interface PeriodSlice {
  period: string;
  offset: number;
  limit: number;
}

const sumTotals = (totals: Record<string, number>, wanted: ReadonlySet<string>): number =>
  Object.entries(totals).reduce((sum, [facets, count]) => sum + (wanted.has(facets) ? count : 0), 0);

const indexOf = (indexes: Map<string, StoredIndex>, period: string, summary: Summary) => {
  const stored = indexes.get(period);
  if (!stored?.index || stored.version !== summary[period]?.version) throw new IndexConflict();
  return stored.index;
};

/** Returns the part of the page that each period provides, newest period first. */
const slice = (counts: readonly { period: string; count: number }[], offset: number, limit: number): PeriodSlice[] => {
  const slices: PeriodSlice[] = [];
  let skip = offset;
  let take = limit;
  for (const { period, count } of counts) {
    if (take === 0) break;
    if (skip >= count) {
      skip -= count;
      continue;
    }
    const rows = Math.min(take, count - skip);
    slices.push({ period, offset: skip, limit: rows });
    take -= rows;
    skip = 0;
  }
  return slices;
};

interface Bounds {
  period: string;
  least: number;
  most: number;
}

/**
 * Returns the periods that may contain rows of the page. For some periods, only a lower and an upper bound of the
 * number of wanted rows are known.
 */
const possible = (bounds: readonly Bounds[], offset: number, limit: number): string[] => {
  const before = { least: 0, most: 0 };
  return bounds.flatMap(({ period, least, most }) => {
    const mayBegin = before.least < offset + limit;
    before.least += least;
    before.most += most;
    return mayBegin && most > 0 && before.most > offset ? [period] : [];
  });
};

/**
 * Returns the plan for a page that starts at the period's first wanted row, if all wanted rows of the period are in one
 * partition. The plan needs no start position from the index, which saves a round trip for most first pages of a
 * filtered list.
 */
const planFromTop = (
  totals: Record<string, number> | null,
  wanted: ReadonlySet<string>,
  { offset, limit }: PeriodSlice,
  { to }: DayRange,
): PagePlan | undefined => {
  const [facets, ...others] = Object.keys(totals ?? {}).filter((name) => wanted.has(name) && totals![name]! > 0);
  if (offset > 0 || facets === undefined || others.length > 0) return undefined;
  return { startAt: to === null ? null : daySeekKey(to), rows: { [facets]: limit }, skip: 0, take: limit };
};

/** @throws IndexConflict */
const readOnce = async (request: PageRequest, view: SummaryView): Promise<RowPage> => {
  const { address, scope, filter, offset, limit } = request;
  const { summary } = view;
  const wanted = wantedFacets(scope, occurringFacets(summary), filter.facets);
  const periods = Object.keys(summary)
    .filter((period) => filter.period === null || period === filter.period)
    .sort()
    .reverse();
  const totalsOf = new Map(periods.map((period) => [period, totalsIn(mustGet(summary, period), filter.days)]));
  const bounds = periods.map((period): Bounds => {
    const totals = mustGet(totalsOf, period);
    const most = sumTotals(totals ?? mustGet(summary, period).totals, wanted);
    return { period, least: totals === null ? 0 : most, most };
  });
  // For the `untold` periods, only the period's index gives the number of wanted rows. Every other period that may
  // contain the page is read together with the `untold` periods.
  const untold = periods.filter((period) => totalsOf.get(period) === null);
  const together = untold.length === 0 ? [] : [...new Set([...untold, ...possible(bounds, offset, limit)])];
  const indexes = await findPeriods(address, together, view);
  const counts = bounds.map(({ period, most }) => {
    if (totalsOf.get(period) !== null) return { period, count: most };
    return { period, count: countRows(indexOf(indexes, period, summary), wanted, filter.days) };
  });
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  const slices = slice(counts, offset, limit);

  const planned = slices.map((each) => ({
    ...each,
    fromTop: planFromTop(mustGet(totalsOf, each.period), wanted, each, filter.days),
  }));
  const missing = planned.filter(({ period, fromTop }) => !fromTop && !indexes.has(period)).map(({ period }) => period);
  for (const [period, index] of await findPeriods(address, missing, view)) indexes.set(period, index);
  const pages = await Promise.all(
    planned.map(async ({ period, fromTop, ...page }) => {
      const plan = fromTop ?? planPage(indexOf(indexes, period, summary), wanted, filter.days, page);
      const from = plan.startAt === null ? {} : { to: plan.startAt };
      const settled = view.isConsistent ? null : settledDays(mustGet(summary, period), nowMs());
      const partitions = await Promise.all(
        Object.entries(plan.rows)
          .filter(([, count]) => count > 0)
          .map(async ([facets, limit]) => {
            const pk = keys.rows(address, period, facets);
            const items = await table.query(pk, { descending: true, limit, ...from, consistent: settled === null });
            const read = { facets, startAt: plan.startAt, limit };
            const sortKeys = items.map(({ sk }) => sk);
            if (settled !== null && !fitsDays(settled, read, sortKeys)) throw new IndexConflict();
            return items;
          }),
      );
      return partitions
        .flat()
        .sort((a, b) => (a.sk < b.sk ? 1 : a.sk > b.sk ? -1 : 0))
        .slice(plan.skip, plan.skip + plan.take)
        .map((item) => listRow(scope, item, mustGet(summary, period).syncedAt));
    }),
  );
  return { rows: pages.flat(), total };
};

/**
 * Reads the connection and the summary of one of its scopes in one round trip. Several sources use the same scope name,
 * so a connection to another source counts as not found.
 */
export const findConnectionWithSummary = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
): Promise<{ connection: Connection | undefined; summary: Summary }> => {
  const key = keys.connection(address.organizationId, address.connectionId);
  const items = await table.batchGet([key, keys.summary(address)]);
  const item = items.find(({ sk }) => sk === key.sk);
  const connection = item && connectionItem.fromItem(item);
  const summary = summaryFromItem(items.find((other) => other !== item));
  return { connection, summary: connection?.source === scope.source ? summary : {} };
};

/**
 * Returns one page, newest row first, with the exact total under the filter.
 *
 * @param summary as read together with the connection
 */
export const readPage = async (request: PageRequest, summary: Summary): Promise<RowPage> => {
  return whileIndexStands(request.address, summary, (view) =>
    needsSearch(request) ? searchOnce(request, view) : readOnce(request, view),
  );
};

/** Returns the periods that hold rows, newest first. */
export const readPeriods = (summary: Summary): string[] =>
  Object.keys(summary)
    .filter((period) => Object.values(mustGet(summary, period).totals).some((count) => count > 0))
    .sort()
    .reverse();

/** Returns a full document in the form of the API. */
export const readDocument = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  id: string,
): Promise<Row | undefined> => {
  const item = await table.get(keys.fullRow(address, id));
  if (!item || scope.fullRow === null) return undefined;
  const stored = storedFullRow(item);
  const fields: Row = {
    ...stored.row,
    id: stored.id,
    connection_id: address.connectionId,
    sync_run_id: stored.updatedRun,
    raw_payload_id: stored.rawPayloadId,
    raw_row: await inflateRaw(stored.raw),
    created_at: stored.createdAt,
  };
  return Object.fromEntries(Object.keys(scope.fullRow.shape).map((field) => [field, fields[field] ?? null]));
};
