/**
 * Order-statistic index of one period of one scope (architecture.md §4): DynamoDB has neither counts nor offsets, so
 * the rows' merged order is cut into blocks, and for each block it is known how many rows every facet partition holds.
 * A page then is: find the block, read exactly so many rows of each wanted partition from there. Pure.
 *
 * A block holds rows of one day alone and at most `strideRows`, so that `from`/`to` fall between blocks and totals
 * under date filters are exact without reading a row.
 */
import {
  bufferOf,
  DAY_BYTES,
  ID_BYTES,
  INSTANT_BYTES,
  readDay,
  readId,
  readInstant,
  writeDay,
  writeId,
  writeInstant,
} from './packed-keys.ts';
import { NO_DAY, rowSortKey, rowSortKeyParts } from './row-keys.ts';

export interface Block {
  /** Santiago event day, `0000-00-00` for rows without one. */
  day: string;
  /** Sort key of the block's first (newest) row. */
  sortKey: string;
  /** Rows by position in `facets`. */
  counts: readonly number[];
}

export interface PeriodIndex {
  /** Facet combinations that occur, sorted. */
  facets: readonly string[];
  /** Newest first. */
  blocks: readonly Block[];
}

export interface IndexedRow {
  facets: string;
  sortKey: string;
}

/** A facet count must fit one byte of the packed form. */
const STRIDE_MAX = 255;

const descending = (a: IndexedRow, b: IndexedRow): number =>
  a.sortKey < b.sortKey ? 1 : a.sortKey > b.sortKey ? -1 : 0;

/** Rows in any order → index. */
export const buildIndex = (rows: readonly IndexedRow[], strideRows: number): PeriodIndex => {
  if (strideRows < 1 || strideRows > STRIDE_MAX) throw new RangeError(`stride ${strideRows} is not 1..${STRIDE_MAX}`);
  const facets = [...new Set(rows.map((row) => row.facets))].sort();
  const position = new Map(facets.map((facet, at) => [facet, at]));
  const blocks: { day: string; sortKey: string; counts: number[] }[] = [];
  let rowsInBlock = 0;
  for (const row of [...rows].sort(descending)) {
    const day = row.sortKey.slice(0, NO_DAY.length);
    let block = blocks.at(-1);
    if (block === undefined || block.day !== day || rowsInBlock === strideRows) {
      block = { day, sortKey: row.sortKey, counts: facets.map(() => 0) };
      blocks.push(block);
      rowsInBlock = 0;
    }
    const at = position.get(row.facets)!;
    block.counts[at] = block.counts[at]! + 1;
    rowsInBlock++;
  }
  return { facets, blocks };
};

export interface PeriodSummary {
  /** Rows per facet combination. */
  totals: Record<string, number>;
  /** Oldest and newest event day; null when no row has a day. */
  firstDay: string | null;
  lastDay: string | null;
  /** Rows without a day: a date filter leaves them out. */
  undated: number;
}

export const summarize = (index: PeriodIndex): PeriodSummary => {
  const totals: Record<string, number> = Object.fromEntries(index.facets.map((facet) => [facet, 0]));
  let undated = 0;
  for (const block of index.blocks) {
    block.counts.forEach((count, at) => {
      totals[index.facets[at]!]! += count;
      if (block.day === NO_DAY) undated += count;
    });
  }
  const dated = index.blocks.filter((block) => block.day !== NO_DAY);
  return { totals, firstDay: dated.at(-1)?.day ?? null, lastDay: dated[0]?.day ?? null, undated };
};

export interface DayRange {
  from: string | null;
  to: string | null;
}

export const inRange = (day: string, range: DayRange): boolean =>
  (range.from === null && range.to === null) ||
  (day !== NO_DAY && (range.from === null || day >= range.from) && (range.to === null || day <= range.to));

/** How a period lies to a day range: from its summary alone, unless it straddles. */
export const relation = (summary: PeriodSummary, range: DayRange): 'inside' | 'outside' | 'straddling' => {
  if (range.from === null && range.to === null) return 'inside';
  if (summary.firstDay === null || summary.lastDay === null) return 'outside';
  if ((range.from !== null && summary.lastDay < range.from) || (range.to !== null && summary.firstDay > range.to))
    return 'outside';
  const whole = inRange(summary.firstDay, range) && inRange(summary.lastDay, range);
  return whole && summary.undated === 0 ? 'inside' : 'straddling';
};

const DAY_MS = 86_400_000;

/** How much of a period lies in a day range, if its rows are spread evenly over its days: 0 to 1. A guess. */
export const likelyShare = ({ firstDay, lastDay }: PeriodSummary, { from, to }: DayRange): number => {
  if (firstDay === null || lastDay === null) return 0;
  const first = Date.parse(firstDay);
  const last = Date.parse(lastDay) + DAY_MS;
  const begin = Math.max(first, from === null ? first : Date.parse(from));
  const end = Math.min(last, to === null ? last : Date.parse(to) + DAY_MS);
  return Math.max(0, end - begin) / (last - first);
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

export interface PagePlan {
  /** Read downwards from this sort key, inclusive; null: from the top. */
  startAt: string | null;
  /**
   * Exactly so many rows of each facet partition; merged and sorted they begin with the page. Of the last block no
   * more than is missing: a page of 50 rows read 25 that nobody saw, a sixth of what it costs.
   */
  rows: Record<string, number>;
  /** Rows of the merge to leave out at its start. */
  skip: number;
  take: number;
}

/** Where rows `offset … offset + limit` of the wanted facets and days are. */
export const planPage = (
  index: PeriodIndex,
  wanted: ReadonlySet<string>,
  range: DayRange,
  offset: number,
  limit: number,
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

// Packed form: 8 bytes of head, then fixed-width blocks. Numbers are big-endian, but for the number of facets: one
// byte of it came first, and accounts of balances may be more than that tells.
const FORMAT = 1;
const HEAD_BYTES = 8;

const blockBytes = (facets: number, hasInstants: boolean): number =>
  DAY_BYTES + (hasInstants ? INSTANT_BYTES : 0) + ID_BYTES + facets;

export const packIndex = (index: PeriodIndex): Uint8Array => {
  const parts = index.blocks.map((block) => rowSortKeyParts(block.sortKey));
  const hasInstants = parts.some((part) => part.instant !== '');
  const width = blockBytes(index.facets.length, hasInstants);
  const packed = Buffer.alloc(HEAD_BYTES + width * index.blocks.length);
  packed.writeUInt8(FORMAT, 0);
  packed.writeUInt8(hasInstants ? 1 : 0, 1);
  packed.writeUInt16LE(index.facets.length, 2);
  packed.writeUInt32BE(index.blocks.length, 4);
  index.blocks.forEach((block, n) => {
    const { instant, rowId } = parts[n]!;
    let at = HEAD_BYTES + n * width;
    writeDay(packed, block.day, at);
    at += DAY_BYTES;
    if (hasInstants) {
      writeInstant(packed, instant, at);
      at += INSTANT_BYTES;
    }
    writeId(packed, rowId, at);
    at += ID_BYTES;
    for (const count of block.counts) packed.writeUInt8(count, at++);
  });
  return packed;
};

export const unpackIndex = (bytes: Uint8Array, facets: readonly string[]): PeriodIndex => {
  const packed = bufferOf(bytes);
  if (packed.readUInt8(0) !== FORMAT || packed.readUInt16LE(2) !== facets.length)
    throw new Error('page index of an unknown form');
  const hasInstants = packed.readUInt8(1) === 1;
  const width = blockBytes(facets.length, hasInstants);
  const blocks = Array.from({ length: packed.readUInt32BE(4) }, (_, n): Block => {
    let at = HEAD_BYTES + n * width;
    const day = readDay(packed, at);
    at += DAY_BYTES;
    const instant = hasInstants ? readInstant(packed, at) : null;
    if (hasInstants) at += INSTANT_BYTES;
    const rowId = readId(packed, at);
    at += ID_BYTES;
    const counts = [...packed.subarray(at, at + facets.length)];
    return { day, sortKey: rowSortKey(day, instant, rowId), counts };
  });
  return { facets, blocks };
};

/**
 * Bytes that a reader takes in vain: of the index those of other blocks, which are fewer the larger the blocks are, and
 * of the first block the rows before the page. For a row of 0.9 KB and a block of 26 bytes at half the units, the sum is
 * least at the root of a 70th of the rows.
 */
const balancedStride = (rows: number): number => Math.min(STRIDE_MAX, Math.ceil(Math.sqrt(rows / 70)));

/** The finest stride that pays and whose packed form fits. */
export const buildFittingIndex = (rows: readonly IndexedRow[], strideRows: number, bytesMax: number): PeriodIndex => {
  for (let stride = Math.max(strideRows, balancedStride(rows.length)); ; stride = Math.min(stride * 2, STRIDE_MAX)) {
    const index = buildIndex(rows, stride);
    if (HEAD_BYTES + index.blocks.length * blockBytes(index.facets.length, true) <= bytesMax) return index;
    if (stride === STRIDE_MAX) throw new RangeError(`a period of ${rows.length} rows is beyond what one index holds`);
  }
};
