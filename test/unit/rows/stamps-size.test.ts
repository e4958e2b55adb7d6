/** Size of a page index and its stamps after years of syncs: they share an item of at most 400 KB. */
import { expect, test } from 'vitest';
import { buildFittingIndex, descending } from '#shared/rows/index/page-index.rules.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { buildFittingStamps } from '#shared/rows/item/stamps.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { randomFrom } from '#test/helpers/random.ts';

const FACETS = ['issued.registro', 'received.pendiente', 'received.reclamado', 'received.registro'];
const HEX = 16 ** 8;

const rowsOf = (count: number, syncs: number) => {
  const random = randomFrom(count);
  const hex = (digits: number): string =>
    random
      .int(0, HEX - 1)
      .toString(16)
      .padStart(8, '0')
      .slice(0, digits);
  return Array.from({ length: count }, () => {
    const day = `2026-10-${String(random.int(1, 31)).padStart(2, '0')}`;
    const id = `${hex(8)}-${hex(4)}-5${hex(3)}-a${hex(3)}-${hex(8)}${hex(4)}`;
    // Most rows are from the first sync, the others from any later one.
    const sequence = (random.chance(0.6) ? 1 : random.int(1, syncs)) * 10_000 + 1;
    return { facets: random.pick(FACETS), sortKey: rowSortKey(day, null, id), sequence, createdSequence: sequence };
  }).sort(descending);
};

test.each([
  { count: 8_333, indexBytes: 9_000, stampsBytes: 5_000 },
  { count: 100_000, indexBytes: 36_000, stampsBytes: 12_000 },
])('$count rows after 700 syncs', ({ count, indexBytes, stampsBytes }) => {
  const rows = rowsOf(count, 700);
  const late = new Map(rows.slice(0, 50).map(({ sequence }) => [sequence, sequence + 20_000]));
  const { index, packed } = buildFittingIndex(rows, ROW_LIMITS.indexStrideRows, ROW_LIMITS.indexBytesMax);
  const stamps = buildFittingStamps(index, rows, late, ROW_LIMITS.indexStampsBytesMax);
  expect(packed.byteLength).toBeLessThanOrEqual(indexBytes);
  expect(stamps.byteLength).toBeLessThanOrEqual(stampsBytes);
  expect(ROW_LIMITS.indexBytesMax + ROW_LIMITS.indexStampsBytesMax).toBeLessThanOrEqual(350 * 1024);
});
