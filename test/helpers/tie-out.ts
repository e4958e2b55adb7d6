/**
 * The engine's part in memory: compares parsed rows with the reported totals, as if the rows were all that is stored.
 */

import { Big } from 'big.js';
import { type CountedRow, compareWithTotals, type PeriodTotals, packAmounts } from '#shared/rows/item/totals.rules.ts';
import { NOTHING_COUNTED } from '#shared/rows/write/period-counts.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import type { Notice, Parsed } from '#shared/sources/source.ts';
import { writtenNotices } from '#shared/sync/end/written-notices.ts';
import type { ToldTotal, TotalGroup } from '#shared/values/source-totals.ts';

const LISTED_MAX = { groups: 1_000, ids: 10 };

/** A row that comes twice counts once; the last reading wins. */
export const countedRows = (scope: ScopeDefinition, rows: readonly Row[]): CountedRow[] => {
  const byKey = new Map(rows.map((row) => [JSON.stringify(scope.naturalKey(row)), row]));
  return [...byKey].map(([id, row]) => ({ id, amounts: packAmounts(scope.totals!, row), isShown: true }));
};

export const toldIn = (parsed: readonly Parsed[]): { totals: ToldTotal[]; whole: TotalGroup[] } => ({
  totals: parsed.flatMap((item) => ('total' in item ? [item.total] : [])),
  whole: parsed.flatMap((item) => ('wholeTotals' in item ? [item.wholeTotals] : [])),
});

export const tieOutOf = (scope: ScopeDefinition, parsed: readonly Parsed[]): PeriodTotals => {
  const rows = parsed.flatMap((item) => ('row' in item ? [item.row.row] : []));
  return compareWithTotals(scope.totals!, toldIn(parsed), countedRows(scope, rows), LISTED_MAX);
};

/** The notices that a run would give. */
export const tieOutNotices = (scope: ScopeDefinition, period: string, parsed: readonly Parsed[]): Notice[] =>
  writtenNotices(scope, period, { ...NOTHING_COUNTED, totals: tieOutOf(scope, parsed) }, []);

/** The totals that an honest institution reports for these rows, by group: every figure that rows add to. */
export const honestTotals = (scope: ScopeDefinition, rows: readonly Row[]): ToldTotal[] => {
  const { groupOf, figures } = scope.totals!;
  return [...Map.groupBy(rows, (row) => JSON.stringify(groupOf(row)))].map(([group, of]) => ({
    group: JSON.parse(group),
    figures: Object.fromEntries(
      Object.entries(figures).map(([figure, amountOf]) => [
        figure,
        of.reduce((sum, row) => sum.plus(amountOf(row) ?? 0), Big(0)).toFixed(),
      ]),
    ),
  }));
};
