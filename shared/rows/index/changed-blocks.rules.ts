/**
 * Computes the ranges of rows that a reader of changes must read in a period. A range covers adjacent blocks that
 * contain a row newer than the cursor. Pure.
 */

import type { RowPlace } from '#shared/rows/item/change-cursor.rules.ts';
import type { PeriodIndex } from '#shared/rows/item/page-index-codec.ts';
import { findStamp, type Stamps } from '#shared/rows/item/stamps.rules.ts';

/**
 * Rows of a partition between two sort keys, both included. `from` is undefined for a range that begins at the oldest
 * row.
 */
export interface RowRange {
  facets: string;
  from: string | undefined;
  to: string;
}

/**
 * Returns the first key after a row's key. No row is skipped, because all sort keys end in ids of equal length, so no
 * key is a prefix of another key.
 */
export const keyAfter = (sortKey: string): string => `${sortKey}!`;

/** This text sorts after every facet combination, because facet combinations contain only ASCII characters. */
const EVERY_PARTITION = '\uffff';

/** Position before the first row of the period. */
export const startPeriod = (period: string): RowPlace => ({ period, facets: '', sortKey: '' });

/** Position after the last row of the period. */
export const endPeriod = (period: string): RowPlace => ({ period, facets: EVERY_PARTITION, sortKey: '' });

/** True if rows of the period may follow the position. A null position is before every row. */
export const isLeft = (period: string, place: RowPlace | null): boolean =>
  place === null || period > place.period || (period === place.period && place.facets !== EVERY_PARTITION);

/**
 * Returns the changed ranges of one partition, oldest first. A block without rows of the partition may be inside a
 * range, because reading across the block costs nothing. A block begins at the sort key of the next older block, which
 * is no row's key, and ends at its own sort key; the oldest block has no lower bound.
 */
const runsOf = ({ facets, blocks }: PeriodIndex, stamps: Stamps, c: number, at: number): RowRange[] => {
  const runs: RowRange[] = [];
  let run: RowRange | null = null;
  for (let n = blocks.length - 1; n >= 0; n--) {
    const { sortKey, counts } = blocks[n]!;
    if (counts[at] === 0) continue;
    if (findStamp(stamps, n) <= c) {
      run = null;
    } else if (run === null) {
      run = { facets: facets[at]!, from: blocks[n + 1]?.sortKey, to: sortKey };
      runs.push(run);
    } else run.to = sortKey;
  }
  return runs;
};

/** Returns the part of a range that is after a position in its partition, or null if no part is left. */
const rest = (run: RowRange, place: RowPlace): RowRange | null => {
  const from = keyAfter(place.sortKey);
  if (run.to < from) return null;
  return run.from !== undefined && run.from > from ? run : { ...run, from };
};

/**
 * Returns the ranges of a period that contain rows newer than `c` and that the reader has not read yet, in reading
 * order.
 *
 * @param place position of the reader if the position is in this period, else null
 */
export const changedRanges = (index: PeriodIndex, stamps: Stamps, c: number, place: RowPlace | null): RowRange[] =>
  index.facets.flatMap((facets, at) => {
    if (place === null || facets > place.facets) return runsOf(index, stamps, c, at);
    if (facets < place.facets) return [];
    return runsOf(index, stamps, c, at).flatMap((run) => rest(run, place) ?? []);
  });
