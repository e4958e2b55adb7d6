/** Which rows any replica may answer, and which of its answers contradict the index. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildIndex, type IndexedRow, planPage, summarize } from '#shared/rows/index/page-index.rules.ts';
import { fitsDays, type PartitionRead } from '#shared/rows/index/settled-rows.rules.ts';
import { type StoredSummary, settledDays } from '#shared/rows/index/summary.ts';
import { daySeekKey, rowSortKey, rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { runs } from '#test/helpers/effort.ts';

const OPEN = { from: null, to: null };
const FACETS = ['issued', 'received'];

const rowsOf = fc.uniqueArray(
  fc
    .tuple(fc.constantFrom(...FACETS), fc.constantFrom(null, '2026-10-01', '2026-10-02', '2026-10-03'), fc.uuid())
    .map(([facets, day, id]): IndexedRow => ({ facets, sortKey: rowSortKey(day, null, id) })),
  { selector: ({ sortKey }) => sortKey, minLength: 1, maxLength: 40 },
);

/** Answers as the table does. */
const answer = (rows: readonly IndexedRow[], { facets, startAt, limit }: PartitionRead): string[] =>
  rows
    .filter((row) => row.facets === facets && (startAt === null || row.sortKey <= startAt))
    .map(({ sortKey }) => sortKey)
    .sort()
    .reverse()
    .slice(0, limit);

const readsOf = (rows: readonly IndexedRow[], offset: number, limit: number): PartitionRead[] => {
  const plan = planPage(buildIndex(rows, 2), new Set(FACETS), OPEN, { offset, limit });
  return Object.entries(plan.rows)
    .filter(([, count]) => count > 0)
    .map(([facets, count]) => ({ facets, startAt: plan.startAt, limit: count }));
};

test('rows that are those of the index fit it, for any first row of the page', () => {
  fc.assert(
    fc.property(rowsOf, fc.nat(40), fc.integer({ min: 1, max: 20 }), (rows, offset, limit) => {
      const { days } = summarize(buildIndex(rows, 2));
      for (const read of readsOf(rows, offset, limit)) expect(fitsDays(days, read, answer(rows, read))).toBe(true);
    }),
    { numRuns: runs(200) },
  );
});

test('without a row of a day that is read completely they do not fit, though an older one replaces it', () => {
  let judged = 0;
  fc.assert(
    fc.property(rowsOf, fc.nat(40), fc.integer({ min: 1, max: 20 }), (rows, offset, limit) => {
      const { days } = summarize(buildIndex(rows, 2));
      for (const read of readsOf(rows, offset, limit)) {
        const { startAt } = read;
        const right = answer(rows, read).map(rowSortKeyParts);
        for (const { day, rowId } of right) {
          const isWhole = day > right.at(-1)!.day && (startAt === null || startAt >= daySeekKey(day));
          if (!isWhole) continue;
          judged++;
          const stale = rows.filter(({ sortKey }) => rowSortKeyParts(sortKey).rowId !== rowId);
          expect(fitsDays(days, read, answer(stale, read))).toBe(false);
        }
      }
    }),
    { numRuns: runs(200) },
  );
  expect(judged).toBeGreaterThan(0);
});

test('fewer rows, more of a day than it has, a day or a partition that the index does not know: none of these fit', () => {
  const [a, b, c] = ['2026-10-03', '2026-10-02', '2026-10-02'].map((day, n) => rowSortKey(day, null, `${n}`));
  const { days } = summarize(
    buildIndex(
      [a!, b!, c!].map((sortKey) => ({ facets: 'issued', sortKey })),
      2,
    ),
  );
  const read = { facets: 'issued', startAt: null, limit: 2 };
  expect(fitsDays(days, read, [a!, c!])).toBe(true);
  expect(fitsDays(days, read, [a!])).toBe(false);
  expect(fitsDays(days, read, [])).toBe(false);
  expect(fitsDays(days, read, [rowSortKey('2026-10-03', null, '9'), a!])).toBe(false);
  expect(fitsDays(days, read, [a!, rowSortKey('2026-10-01', null, '9')])).toBe(false);
  expect(fitsDays(days, { ...read, limit: 1 }, [rowSortKey('2026-10-04', null, '9')])).toBe(false);
  expect(fitsDays(days, { ...read, facets: 'received' }, [a!, c!])).toBe(false);
});

test('a period is settled when it was written over a minute ago, and shows when and its days', () => {
  const index = buildIndex([{ facets: 'issued', sortKey: rowSortKey('2026-10-03', null, '1') }], 2);
  const entry: StoredSummary = { ...summarize(index), version: 1, syncedAt: '', writtenAtMs: 1_000 };
  const { writtenAtMs: _, ...untold } = entry;
  expect(settledDays(entry, 1_001 + ROW_LIMITS.rowsSettledMs)).toEqual(entry.days);
  expect(settledDays(entry, 1_000 + ROW_LIMITS.rowsSettledMs)).toBeNull();
  expect(settledDays(entry, 0)).toBeNull();
  expect(settledDays(untold, Number.MAX_SAFE_INTEGER)).toBeNull();
  expect(settledDays({ ...entry, days: null }, Number.MAX_SAFE_INTEGER)).toBeNull();
});
