/**
 * Checks whether rows from any replica, read at half the units, match the index. If the rows do not match, the reader
 * reads everything again, consistently. Pure.
 */

import type { PeriodIndex } from '#shared/rows/item/page-index-codec.ts';
import { daySeekKey, rowSortKeyParts } from '#shared/rows/item/row-keys.ts';

export interface PartitionRead {
  facets: string;
  /** Sort key at which the descending read begins, inclusive. Null to begin at the newest row. */
  startAt: string | null;
  /** Number of rows that the index expects. The reader reads at most this many rows. */
  limit: number;
}

/** True if the number of rows matches the request and every completely read day has as many rows as the index says. */
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
