/**
 * Order-statistic index of one period of one scope (architecture.md §4). DynamoDB has neither counts nor offsets, so
 * the merged order of the rows is cut into blocks, and the index stores how many rows of each facet partition a block
 * holds. The reader of a page finds the block in which the page begins. From that block on, the reader reads the exact
 * number of rows that the page needs from each wanted partition. Pure.
 *
 * A block holds only rows of one day and at most `strideRows` rows. So `from` and `to` fall between blocks, and totals
 * under date filters are exact without reading a row.
 */

import { type Block, type PeriodIndex, packIndex } from '#shared/rows/item/page-index-codec.ts';
import { daySeekKey, NO_DAY, separatorKey } from '#shared/rows/item/row-keys.ts';
import { mustGet } from '#shared/values/must-get.ts';

export interface IndexedRow {
  facets: string;
  sortKey: string;
}

/** Most rows per block. A larger block would save index reads, but reading its rows would cost more than it saves. */
const STRIDE_MAX = 255;

/** The order of lists and of the index: newest first. */
export const descending = (a: IndexedRow, b: IndexedRow): number =>
  a.sortKey < b.sortKey ? 1 : a.sortKey > b.sortKey ? -1 : 0;

/** Builds an index from rows in any order. */
export const buildIndex = (rows: readonly IndexedRow[], strideRows: number): PeriodIndex => {
  if (strideRows < 1 || strideRows > STRIDE_MAX) throw new RangeError(`stride ${strideRows} is not 1..${STRIDE_MAX}`);
  const facets = [...new Set(rows.map((row) => row.facets))].sort();
  const position = new Map(facets.map((facet, at) => [facet, at]));
  const blocks: { day: string; sortKey: string; counts: number[] }[] = [];
  let rowsInBlock = 0;
  let before = '';
  for (const row of [...rows].sort(descending)) {
    const day = row.sortKey.slice(0, NO_DAY.length);
    let block = blocks.at(-1);
    if (block === undefined || block.day !== day || rowsInBlock === strideRows) {
      const cut = block?.day === day ? separatorKey(before, row.sortKey) : daySeekKey(day);
      block = { day, sortKey: cut, counts: facets.map(() => 0) };
      blocks.push(block);
      rowsInBlock = 0;
    }
    const at = mustGet(position, row.facets);
    block.counts[at] = block.counts[at]! + 1;
    rowsInBlock++;
    before = row.sortKey;
  }
  return { facets, blocks };
};

export interface PeriodSummary {
  /** Number of rows per facet combination. */
  totals: Record<string, number>;
  /** Oldest and newest event day; null if no row has a day. */
  firstDay: string | null;
  lastDay: string | null;
  /** Number of rows without a day. A date filter excludes them. */
  undated: number;
  /**
   * The index with one block per day. From these blocks, the counts of any range of days are exact without reading the
   * period's own index. Null if the rows are spread over too many days.
   */
  days: PeriodIndex | null;
}

type DaySummary = PeriodSummary & { days: PeriodIndex };

/** Returns an index of the same rows with one block per day. */
const byDay = ({ facets, blocks }: PeriodIndex): PeriodIndex => {
  const days: { day: string; sortKey: string; counts: number[] }[] = [];
  for (const { day, counts } of blocks) {
    const last = days.at(-1);
    if (last?.day === day)
      counts.forEach((count, at) => {
        last.counts[at]! += count;
      });
    else days.push({ day, sortKey: daySeekKey(day), counts: [...counts] });
  }
  return { facets, blocks: days };
};

const totalsOf = ({ facets, blocks }: PeriodIndex): Record<string, number> => {
  const sums = facets.map(() => 0);
  for (const { counts } of blocks)
    counts.forEach((count, at) => {
      sums[at]! += count;
    });
  return Object.fromEntries(facets.map((name, at) => [name, sums[at]!]));
};

const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** Summarizes an index that has one block per day. */
export const summaryOfDays = (days: PeriodIndex): DaySummary => {
  const undated = sumOf(days.blocks.map(({ day, counts }) => (day === NO_DAY ? sumOf(counts) : 0)));
  const dated = days.blocks.filter(({ day }) => day !== NO_DAY);
  return { totals: totalsOf(days), firstDay: dated.at(-1)?.day ?? null, lastDay: dated[0]?.day ?? null, undated, days };
};

export const summarize = (index: PeriodIndex): DaySummary => summaryOfDays(byDay(index));

export interface DayRange {
  from: string | null;
  to: string | null;
}

export const inRange = (day: string, range: DayRange): boolean =>
  (range.from === null && range.to === null) ||
  (day !== NO_DAY && (range.from === null || day >= range.from) && (range.to === null || day <= range.to));

/**
 * Returns the position of a period relative to a range of days. If the period does not straddle the range, its summary
 * gives all counts.
 */
export const relation = (summary: PeriodSummary, range: DayRange): 'inside' | 'outside' | 'straddling' => {
  if (range.from === null && range.to === null) return 'inside';
  if (summary.firstDay === null || summary.lastDay === null) return 'outside';
  if ((range.from !== null && summary.lastDay < range.from) || (range.to !== null && summary.firstDay > range.to))
    return 'outside';
  const whole = inRange(summary.firstDay, range) && inRange(summary.lastDay, range);
  return whole && summary.undated === 0 ? 'inside' : 'straddling';
};

const sumOver = (block: Block, wanted: readonly number[]): number => {
  let sum = 0;
  for (const at of wanted) sum += block.counts[at]!;
  return sum;
};

const positions = (index: PeriodIndex, wanted: ReadonlySet<string>): number[] =>
  index.facets.flatMap((facet, at) => (wanted.has(facet) ? [at] : []));

export const countRows = (index: PeriodIndex, wanted: ReadonlySet<string>, range: DayRange): number => {
  const at = positions(index, wanted);
  return index.blocks.reduce((sum, block) => sum + (inRange(block.day, range) ? sumOver(block, at) : 0), 0);
};

/**
 * Returns the number of rows per facet combination in a range of days. Null if the period straddles the range and the
 * summary has no days.
 */
export const totalsIn = (summary: PeriodSummary, range: DayRange): Record<string, number> | null => {
  const lies = relation(summary, range);
  if (lies !== 'straddling') return lies === 'inside' ? summary.totals : {};
  if (summary.days === null) return null;
  const { facets, blocks } = summary.days;
  const inside = blocks.filter(({ day }) => inRange(day, range));
  return totalsOf({ facets, blocks: inside });
};

export interface PagePlan {
  /** Sort key at which a descending read begins, inclusive. Null to begin at the newest row. */
  startAt: string | null;
  /**
   * Exact number of rows to read from each facet partition. Reading the whole last block instead would cost a sixth
   * more for a page of 50 rows.
   */
  rows: Record<string, number>;
  /** Number of rows to skip at the start of the merged rows. */
  skip: number;
  take: number;
}

/** Plans how to read the rows `offset … offset + limit` of the wanted facets and days. */
export const planPage = (
  index: PeriodIndex,
  wanted: ReadonlySet<string>,
  range: DayRange,
  { offset, limit }: { offset: number; limit: number },
): PagePlan => {
  const at = positions(index, wanted);
  const plan: PagePlan = { startAt: null, rows: {}, skip: 0, take: 0 };
  let before = 0;
  let read = 0;
  for (const block of index.blocks) {
    if (!inRange(block.day, range)) continue;
    const rows = sumOver(block, at);
    if (plan.startAt === null && before + rows <= offset) {
      before += rows;
      continue;
    }
    if (plan.startAt === null) {
      plan.startAt = block.sortKey;
      plan.skip = offset - before;
    }
    const missing = plan.skip + limit - read;
    for (const position of at) {
      const facet = index.facets[position]!;
      plan.rows[facet] = (plan.rows[facet] ?? 0) + Math.min(block.counts[position]!, missing);
    }
    read += rows;
    if (rows >= missing) break;
  }
  plan.take = Math.max(0, Math.min(limit, read - plan.skip));
  return plan;
};

/**
 * Balances the two costs of a page: the index itself, which is smaller with larger blocks, and the rows of the first
 * block before the page. With about 4 bytes per block at half the read units and 0.9 KB per row, the worst page is
 * cheapest at sqrt(rows / 400).
 */
const balancedStride = (rows: number): number => Math.min(STRIDE_MAX, Math.ceil(Math.sqrt(rows / 400)));

/** Builds the index with the finest useful stride whose packed form fits into `bytesMax`. */
export const buildFittingIndex = (
  rows: readonly IndexedRow[],
  strideRows: number,
  bytesMax: number,
): { index: PeriodIndex; packed: Uint8Array } => {
  for (let stride = Math.max(strideRows, balancedStride(rows.length)); ; stride = Math.min(stride * 2, STRIDE_MAX)) {
    const index = buildIndex(rows, stride);
    const packed = packIndex(index);
    if (packed.byteLength <= bytesMax) return { index, packed };
    if (stride === STRIDE_MAX) throw new RangeError(`a period of ${rows.length} rows is beyond what one index holds`);
  }
};
