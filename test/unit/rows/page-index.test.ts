import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  buildFittingIndex,
  buildIndex,
  countRows,
  type IndexedRow,
  planPage,
  relation,
  summarize,
  totalsIn,
} from '#shared/rows/index/page-index.rules.ts';
import { packIndex, unpackIndex } from '#shared/rows/item/page-index-codec.ts';
import { rowSortKey, separatorKey } from '#shared/rows/item/row-keys.ts';
import { runs } from '#test/helpers/effort.ts';

const FACETS = ['received.registro', 'received.pendiente', 'issued.registro'];

const day = fc.oneof(
  fc.integer({ min: 1, max: 28 }).map((n) => `2026-10-${String(n).padStart(2, '0')}`),
  fc.constantFrom('2026-09-30', '2026-11-02', null),
);
const instant = fc.option(
  fc.integer({ min: 1, max: 86_399 }).map((s) => new Date(1_790_000_000_000 + s * 1000).toISOString()),
);
const rows = fc
  .uniqueArray(fc.record({ id: fc.uuid(), facets: fc.constantFrom(...FACETS), day, instant }), {
    selector: (row) => row.id,
    maxLength: 300,
  })
  .map((list) =>
    list.map((row): IndexedRow => ({ facets: row.facets, sortKey: rowSortKey(row.day, row.instant, row.id) })),
  );

const wantedFacets = fc.subarray(FACETS, { minLength: 1 });
const bound = fc.option(fc.integer({ min: 1, max: 31 }).map((n) => `2026-10-${String(n).padStart(2, '0')}`));

const newestFirst = (list: readonly IndexedRow[]) => [...list].sort((a, b) => (a.sortKey < b.sortKey ? 1 : -1));

/** The expected list, by the plain model. */
const model = (list: readonly IndexedRow[], wanted: ReadonlySet<string>, from: string | null, to: string | null) =>
  newestFirst(list).filter(({ facets, sortKey }) => {
    const rowDay = sortKey.slice(0, 10);
    const dated = from === null && to === null ? true : rowDay !== '0000-00-00';
    return wanted.has(facets) && dated && (from === null || rowDay >= from) && (to === null || rowDay <= to);
  });

/** The table's answer to the plan: exactly this many rows of each partition from the start downwards. */
const read = (list: readonly IndexedRow[], plan: ReturnType<typeof planPage>) =>
  newestFirst(
    Object.entries(plan.rows).flatMap(([facets, count]) =>
      newestFirst(
        list.filter((row) => row.facets === facets && (plan.startAt === null || row.sortKey <= plan.startAt)),
      ).slice(0, count),
    ),
  ).slice(plan.skip, plan.skip + plan.take);

describe('page index', () => {
  test('counts and pages equal the plain model under every filter', () => {
    fc.assert(
      fc.property(
        rows,
        wantedFacets,
        bound,
        bound,
        fc.integer({ min: 0, max: 320 }),
        fc.integer({ min: 1, max: 200 }),
        fc.integer({ min: 1, max: 40 }),
        (list, facets, from, to, offset, limit, stride) => {
          const index = buildIndex(list, stride);
          const wanted = new Set(facets);
          const range = { from, to };
          const expected = model(list, wanted, from, to);
          expect(countRows(index, wanted, range)).toBe(expected.length);
          const plan = planPage(index, wanted, range, { offset, limit });
          expect(read(list, plan)).toEqual(expected.slice(offset, offset + limit));
          const wholeBlocks = Object.values(plan.rows).reduce((sum, count) => sum + count, 0);
          expect(wholeBlocks).toBeLessThanOrEqual(plan.take + 2 * stride);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test('survives packing', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const index = buildIndex(list, 32);
        expect(unpackIndex(packIndex(index), index.facets)).toEqual(index);
      }),
    );
  });

  test('a summary says inside or outside only where every row is', () => {
    fc.assert(
      fc.property(rows, bound, bound, (list, from, to) => {
        const index = buildIndex(list, 8);
        const summary = summarize(index);
        const all = new Set(FACETS);
        const count = countRows(index, all, { from, to });
        const lies = relation(summary, { from, to });
        if (lies === 'inside') expect(count).toBe(list.length);
        if (lies === 'outside') expect(count).toBe(0);
        expect(Object.values(summary.totals).reduce((sum, n) => sum + n, 0)).toBe(list.length);
      }),
    );
  });

  test('totals by day are those of the plain model under every range, and those of a summary stored without days unknown', () => {
    fc.assert(
      fc.property(rows, wantedFacets, bound, bound, (list, facets, from, to) => {
        const summary = summarize(buildIndex(list, 8));
        const totals = totalsIn(summary, { from, to })!;
        const count = facets.reduce((sum, name) => sum + (totals[name] ?? 0), 0);
        expect(count).toBe(model(list, new Set(facets), from, to).length);
        const lies = relation(summary, { from, to });
        expect(totalsIn({ ...summary, days: null }, { from, to }) === null).toBe(lies === 'straddling');
      }),
    );
  });

  test('a cut begins with its row and leaves out the one before', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const [newer, older] = newestFirst(list).map(({ sortKey }) => sortKey);
        fc.pre(older !== undefined && newer!.slice(0, 10) === older.slice(0, 10));
        const cut = separatorKey(newer!, older!);
        expect(older! <= cut && cut < newer!).toBe(true);
      }),
    );
  });

  test('no block holds rows of two days or more rows than the stride', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const index = buildIndex(list, 5);
        expect(index.blocks.every((block) => block.counts.reduce((a, b) => a + b, 0) <= 5)).toBe(true);
        expect(index.blocks.reduce((sum, block) => sum + block.counts.reduce((a, b) => a + b, 0), 0)).toBe(list.length);
      }),
    );
  });

  test('widens its blocks until it fits, and refuses what cannot fit', () => {
    const list = Array.from(
      { length: 2_000 },
      (_, n): IndexedRow => ({
        facets: 'all',
        sortKey: rowSortKey('2026-10-01', null, `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`),
      }),
    );
    expect(packIndex(buildIndex(list, 32)).byteLength).toBeGreaterThan(150);
    const { index, packed } = buildFittingIndex(list, 32, 150);
    expect(packed.byteLength).toBeLessThanOrEqual(150);
    expect(packed).toEqual(packIndex(index));
    expect(countRows(index, new Set(['all']), { from: null, to: null })).toBe(2_000);
    expect(() => buildFittingIndex(list, 32, 50)).toThrow(RangeError);
  });

  test('refuses bytes of another form', () => {
    const packed = packIndex(buildIndex([], 32));
    packed[0] = 9;
    expect(() => unpackIndex(packed, [])).toThrow('invalid stored block lengths');
  });
});
