/** The summary as an item: its content in both forms, and its size. */
import { expect, test } from 'vitest';
import { buildIndex, type IndexedRow } from '#shared/rows/index/page-index.rules.ts';
import { type Summary, summaryAttributes, summaryEntry, summaryFromItem } from '#shared/rows/index/summary.ts';
import { packIndex } from '#shared/rows/item/page-index-codec.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';

const DAY_MS = 86_400_000;
const FACETS = ['issued.registro', 'received.pendiente', 'received.reclamado', 'received.registro'];

const entry = (rows: readonly IndexedRow[]) =>
  summaryEntry(buildIndex(rows, 5), {
    version: 3,
    syncedAt: '2026-11-01T00:00:00.000Z',
    writtenAtMs: Date.parse('2026-11-01'),
  });

/** `place` of a row, by its number: how many days before the last of October, and in which facet. */
const rowsAt = (count: number, facets: readonly string[], place: (n: number) => readonly [number, number]) =>
  Array.from({ length: count }, (_, n): IndexedRow => {
    const [daysAgo, facet] = place(n);
    const day = new Date(Date.parse('2026-10-31') - daysAgo * DAY_MS).toISOString().slice(0, 10);
    const id = `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
    return { facets: facets[facet]!, sortKey: rowSortKey(day, null, id) };
  });

const entryOf = (days: number, rowsADay: number, facets: readonly string[]): Summary[string] =>
  entry(rowsAt(days * rowsADay, facets, (n) => [n % days, n % facets.length]));

/** Numbers from 0 to 1 that look random, and are the same in every run. */
const noise = (): (() => number) => {
  let state = 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
};

const uneven = (days: number, rows: number, facets: readonly string[], next = noise()): Summary[string] =>
  entry(rowsAt(rows, facets, () => [Math.floor(next() * days), Math.floor(next() * facets.length)]));

const again = (summary: Summary): Summary => summaryFromItem({ pk: 'p', sk: 's', ...summaryAttributes(summary) });
const rowsOf = ({ totals }: Summary[string]): [string, number][] =>
  Object.entries(totals).filter(([, count]) => count > 0);

test('a summary is read as it was written, also by day, for any facets of its periods', () => {
  const summary = { '2026-09': entryOf(3, 4, FACETS.slice(0, 1)), '2026-10': entryOf(31, 9, FACETS) };
  const read = again(summary);
  expect(read).toEqual(summary);
  expect(rowsOf(read['2026-09']!)).toEqual([['issued.registro', 12]]);
  expect(read['2026-09']).toMatchObject({ version: 3, firstDay: '2026-10-29', lastDay: '2026-10-31', undated: 0 });
  expect(again(read)).toEqual(read);
  expect(summaryFromItem(undefined)).toEqual({});
});

test('months of eight thousand rows count their days in a quarter of a kilobyte each', () => {
  const next = noise();
  const months = Array.from({ length: 24 }, (_, n) => {
    const writtenAtMs = Date.parse('2026-11-01') - Math.floor(next() * 700 * DAY_MS);
    return [`month ${n}`, { ...uneven(31, 8_308, FACETS, next), writtenAtMs }];
  });
  const { packed } = summaryAttributes(Object.fromEntries(months));
  expect(packed.byteLength).toBeLessThanOrEqual(24 * 256);
});

test('for rows of too many days only totals are stored, and for many accounts the days, which are smaller', () => {
  const late = { '2026-10': entryOf(2_000, 1, FACETS) };
  expect(late['2026-10']).toMatchObject({ days: null, lastDay: '2026-10-31', undated: 0, version: 3 });
  expect(rowsOf(late['2026-10']!).map(([, count]) => count)).toEqual([500, 500, 500, 500]);
  expect(again(late)).toEqual(late);
  const accounts = Array.from({ length: 300 }, (_, n) => `account-${n}.CLP`);
  const { days } = uneven(28, 8_400, accounts);
  expect(packIndex(days!).byteLength).toBeGreaterThan(ROW_LIMITS.summaryDaysBytesMax);
});
