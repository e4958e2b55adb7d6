/** The summary as an item: what it tells, in either form, and how much room that takes. */
import { expect, test } from 'vitest';
import { LIMITS } from '#shared/platform/limits.ts';
import { buildIndex, type IndexedRow, summarize } from '#shared/rows/page-index.rules.ts';
import { rowSortKey } from '#shared/rows/row-keys.ts';
import { type Summary, summaryAttributes, summaryFromItem } from '#shared/rows/summary.ts';

const DAY_MS = 86_400_000;
const FACETS = ['issued.registro', 'received.pendiente', 'received.reclamado', 'received.registro'];

const entryOf = (days: number, rowsADay: number, facets: readonly string[]): Summary[string] => {
  const rows = Array.from({ length: days * rowsADay }, (_, n): IndexedRow => {
    const day = new Date(Date.parse('2026-10-31') - (n % days) * DAY_MS).toISOString().slice(0, 10);
    const id = `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`;
    return { facets: facets[n % facets.length]!, sortKey: rowSortKey(day, null, id) };
  });
  return { ...summarize(buildIndex(rows, 5)), version: 3, syncedAt: '2026-11-01T00:00:00.000Z' };
};

const again = (summary: Summary): Summary => summaryFromItem({ pk: 'p', sk: 's', ...summaryAttributes(summary) });
const rowsOf = ({ totals }: Summary[string]): [string, number][] =>
  Object.entries(totals).filter(([, count]) => count > 0);

test('a summary is read as it was written, by day too, whichever facets its periods have', () => {
  const summary = { '2026-09': entryOf(3, 4, FACETS.slice(0, 1)), '2026-10': entryOf(31, 9, FACETS) };
  const read = again(summary);
  expect(read['2026-10']).toEqual(summary['2026-10']);
  expect(rowsOf(read['2026-09']!)).toEqual(rowsOf(summary['2026-09']!));
  expect(read['2026-09']).toMatchObject({ version: 3, firstDay: '2026-10-29', lastDay: '2026-10-31', undated: 0 });
  expect(again(read)).toEqual(read);
});

test('a month of eight thousand rows tells its days in a quarter of a kilobyte', () => {
  const { periods } = summaryAttributes({ '2026-10': entryOf(31, 268, FACETS) });
  expect((periods['2026-10'] as { days: Uint8Array }).days.byteLength).toBeLessThanOrEqual(256);
});

test('of rows of too many days totals alone are told, and of many accounts the days, which weigh less', () => {
  const late = again({ '2026-10': entryOf(2_000, 1, FACETS) })['2026-10']!;
  expect(late).toMatchObject({ days: null, lastDay: '2026-10-31', undated: 0, version: 3 });
  expect(rowsOf(late).map(([, count]) => count)).toEqual([500, 500, 500, 500]);
  const accounts = Array.from({ length: 300 }, (_, n) => `account-${n}.CLP`);
  const { periods } = summaryAttributes({ '2026-10': entryOf(28, 300, accounts) });
  expect((periods['2026-10'] as { days: Uint8Array }).days.byteLength).toBeGreaterThan(LIMITS.summaryDaysBytesMax);
});

test('what was stored before days were told keeps telling what it told, and is written as it was', () => {
  const { days: _, ...bare } = entryOf(5, 5, FACETS);
  const read = summaryFromItem({ pk: 'p', sk: 's', periods: { '2026-10': bare } });
  expect(read).toEqual({ '2026-10': { ...bare, days: null } });
  expect(summaryAttributes(read).periods).toEqual({ '2026-10': bare });
});
