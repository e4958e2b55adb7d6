/**
 * Rows from any replica, at half the units: are they those that the index tells of? A reader that finds they are not
 * reads everything again, consistently. Pure.
 */

import type { PeriodIndex } from '#shared/rows/item/page-index-codec.ts';
import { daySeekKey, rowSortKeyParts } from '#shared/rows/item/row-keys.ts';

export interface PartitionRead {
  facets: string;
  /** Downwards from here, inclusive; null: from the top. */
  startAt: string | null;
  /** As many rows as the index says there are, at most. */
  limit: number;
}

/** Are these as many rows as were asked for, and of each day that was read whole as many as the index tells? */
export const fitsDays = (
  days: PeriodIndex,
  { facets, startAt, limit }: PartitionRead,
  sortKeys: readonly string[],
): boolean => {
  if (sortKeys.length !== limit) return false;
  const at = days.facets.indexOf(facets);
  const left = new Map<string, number>();
  for (const key of sortKeys) {
    const { day } = rowSortKeyParts(key);
    left.set(day, (left.get(day) ?? 0) + 1);
  }
  const oldest = [...left.keys()].at(-1) ?? '';
  for (const { day, counts } of days.blocks) {
    const told = counts[at] ?? 0;
    const read = left.get(day) ?? 0;
    const isWhole = day > oldest && (startAt === null || daySeekKey(day) <= startAt);
    if (isWhole ? read !== told : read > told) return false;
    left.delete(day);
  }
  return left.size === 0;
};
