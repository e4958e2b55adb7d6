/** Totals of a month that rows left: as if these rows had never been compared. */
import { Big } from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CountedRow,
  compareWithTotals,
  type Difference,
  differencesIn,
  type PeriodTotals,
  packAmounts,
} from '#shared/rows/item/totals.rules.ts';
import { totalsWithout } from '#shared/rows/item/totals-without.rules.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import type { ToldTotal } from '#shared/values/source-totals.ts';

const { totals: RCV } = taxRcv;
const GROUP = { direction: 'received', estado: 'registro' };
const MAX = { groups: 1_000, ids: 10 };

const counted = (rows: readonly Row[], isShown = true): CountedRow[] =>
  rows.map((row, at) => ({ id: `${isShown ? 'row' : 'gone'}-${at}`, amounts: packAmounts(RCV, row), isShown }));

const register = fc.array(
  fc.record({
    document_type: fc.constantFrom('33', '34', '46', '56', '61'),
    net_amount: fc.integer({ min: -9_999, max: 9_999 }).map(String),
  }),
  { maxLength: 30 },
);
const rowsOf = (seeds: readonly Row[]): Row[] =>
  seeds.map((seed) => ({ ...GROUP, vat_amount: '0', exempt_amount: '0', total_amount: seed.net_amount, ...seed }));

/** The totals that an honest institution reports for these rows. */
const honest = (rows: readonly Row[]): ToldTotal[] =>
  [...Map.groupBy(rows, ({ document_type }) => String(document_type))].map(([document_type, own]) => ({
    group: { ...GROUP, document_type },
    figures: {
      rows: String(own.length),
      net_amount: own.reduce((sum, row) => sum.plus(String(row.net_amount)), Big(0)).toFixed(),
    },
  }));

const named = (totals: PeriodTotals): string[] =>
  differencesIn(totals)
    .map(({ figure, group, ours }: Difference) => JSON.stringify([figure, ours, Object.entries(group).sort()]))
    .sort();

test('rows that left count as if they had never been compared', () => {
  fc.assert(
    fc.property(register, register, register, (...[shown, left, others]) => {
      const told = { totals: honest(rowsOf(others)), whole: [{ direction: 'received' }] };
      const gone = counted(rowsOf(left), false);
      const kept = counted(rowsOf(shown));
      const after = totalsWithout(RCV, compareWithTotals(RCV, told, [...kept, ...gone], MAX), gone);
      const never = compareWithTotals(RCV, told, kept, MAX);
      if (never.verdict !== 'not_told') expect(after?.verdict).toBe(never.verdict);
      expect(after && named(after)).toEqual(named(never));
      expect(after?.groups.flatMap(({ notShown }) => notShown ?? [])).toEqual([]);
    }),
  );
});

test('of a month with more groups than are listed nothing is concluded', () => {
  const rows = rowsOf([
    { document_type: '33', net_amount: '1' },
    { document_type: '34', net_amount: '2' },
  ]);
  const listedOnly = compareWithTotals(RCV, { totals: honest(rows), whole: [] }, counted(rows), { groups: 1, ids: 1 });
  expect(totalsWithout(RCV, listedOnly, counted(rows).slice(0, 1))).toBeNull();
});

test('of a month that showed the row that left nothing is concluded', () => {
  const rows = rowsOf([
    { document_type: '33', net_amount: '1' },
    { document_type: '33', net_amount: '2' },
  ]);
  const shown = compareWithTotals(RCV, { totals: honest(rows), whole: [] }, counted(rows), MAX);
  expect(totalsWithout(RCV, shown, counted(rows).slice(0, 1))).toBeNull();
});
