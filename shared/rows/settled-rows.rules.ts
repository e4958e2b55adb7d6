/**
 * Rows from any replica, at half the units: of which periods they may be read so, and whether they are those that the
 * index tells of. A reader that finds they are not reads everything again, consistently. Pure.
 */

import { LIMITS } from '#shared/platform/limits.ts';
import type { PeriodIndex } from './page-index-codec.ts';
import { daySeekKey, rowSortKeyParts } from './row-keys.ts';
import type { StoredSummary } from './summary.ts';

/** The days by which rows of any replica are judged; null: rows of this period are read consistently. */
export const settledDays = ({ writtenAtMs, days }: StoredSummary, atMs: number): PeriodIndex | null =>
  writtenAtMs !== undefined && atMs - writtenAtMs > LIMITS.rowsSettledMs ? days : null;

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
