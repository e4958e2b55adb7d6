/** Which rows of a period a reader of changes must read: runs of blocks with something newer than its cursor. Pure. */

import type { RowPlace } from '#shared/rows/item/change-cursor.rules.ts';
import type { PeriodIndex } from '#shared/rows/item/page-index-codec.ts';
import { findStamp, type Stamps } from '#shared/rows/item/stamps.rules.ts';

/** Rows of a partition between two sort keys, both included; undefined: from the oldest. */
export interface RowRange {
  facets: string;
  from: string | undefined;
  to: string;
}

/** Sort keys end in ids of one length, so that no key begins with another one. */
export const keyAfter = (sortKey: string): string => `${sortKey}!`;

/** Facet combinations are of ASCII alone: this sorts after each of them. */
const EVERY_PARTITION = '\uffff';

/** Nothing of the period was read. */
export const startPeriod = (period: string): RowPlace => ({ period, facets: '', sortKey: '' });

/** The whole period was read. */
export const endPeriod = (period: string): RowPlace => ({ period, facets: EVERY_PARTITION, sortKey: '' });

/** Is anything of the period left to read after the place? */
export const isLeft = (period: string, place: RowPlace | null): boolean =>
  place === null || period > place.period || (period === place.period && place.facets !== EVERY_PARTITION);

/**
 * Runs of one partition, oldest first. Blocks without a row of the partition lie in any run: to read over them costs
 * nothing. A block reaches from where the next older one begins, which is no row's key, up to where it begins itself; the
 * oldest one reaches down to the oldest row.
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

/** What is left of a run after a place in its partition; null: nothing. */
const rest = (run: RowRange, place: RowPlace): RowRange | null => {
  const from = keyAfter(place.sortKey);
  if (run.to < from) return null;
  return run.from !== undefined && run.from > from ? run : { ...run, from };
};

/**
 * What is left to read of a period with something newer than `c`, in the order of reading.
 *
 * @param place after which the reader goes on, where that is in this period
 */
export const changedRanges = (index: PeriodIndex, stamps: Stamps, c: number, place: RowPlace | null): RowRange[] =>
  index.facets.flatMap((facets, at) => {
    if (place === null || facets > place.facets) return runsOf(index, stamps, c, at);
    if (facets < place.facets) return [];
    return runsOf(index, stamps, c, at).flatMap((run) => rest(run, place) ?? []);
  });
