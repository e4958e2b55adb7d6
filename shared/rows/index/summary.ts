/**
 * The `SUMMARY` item. For every period, it packs the numbers of rows by day and facet combination. Totals and days are
 * derived from these numbers.
 */

import {
  fromColumns,
  type IndexColumns,
  type PeriodIndex,
  packIndex,
  packJson,
  toColumns,
  unpackJson,
} from '#shared/rows/item/page-index-codec.ts';
import { type Difference, differencesIn, type PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type * as table from '#shared/table/table.ts';
import { type PeriodSummary, summarize, summaryOfDays } from './page-index.rules.ts';
import type { StoredSearch } from './search-index.store.ts';

interface Head {
  version: number;
  /**
   * Sequence of the write that last stored the period's index. Absent in entries that were written before sequences
   * existed.
   */
  seq?: number;
  syncedAt: string;
  /** All rows of the period were written before this time, in epoch ms. Absent in old entries. */
  writtenAtMs?: number;
  /** True if a worker began to write the period, and it was not written to its end since. */
  isHalfWritten?: true;
  /** Digest and number of parts of the search index, if the scope is searchable. */
  search?: StoredSearch;
  /** Result of the comparison of the source's totals with the stored rows. Absent if the source reported no totals. */
  tieOut?: TieOut;
}

/** Short form of the totals of a period. `PERIOD` contains them in full. */
export interface TieOut {
  verdict: 'equal' | 'differs';
  /** The first figures that differ. Absent if all figures are equal. */
  differences?: readonly Difference[];
}

export const summarizeTieOut = (totals: PeriodTotals | null): Pick<Head, 'tieOut'> => {
  if (totals === null || totals.verdict === 'not_told') return {};
  const differences = differencesIn(totals).slice(0, ROW_LIMITS.differencesMax);
  return { tieOut: { verdict: totals.verdict, ...(differences.length > 0 ? { differences } : {}) } };
};

export interface StoredSummary extends PeriodSummary, Head {}

/** Summary by period. Empty if nothing was ever stored. */
export type Summary = Record<string, StoredSummary>;

type PackedEntry = Head & ({ facets: readonly string[]; days: IndexColumns } | (PeriodSummary & { days: null }));

const packedEntry = (entry: StoredSummary): PackedEntry => {
  const { version, seq, syncedAt, writtenAtMs, isHalfWritten, search, tieOut, days } = entry;
  if (days === null) return { ...entry, days };
  return {
    version,
    ...(seq === undefined ? {} : { seq }),
    syncedAt,
    ...(writtenAtMs === undefined ? {} : { writtenAtMs }),
    ...(isHalfWritten ? { isHalfWritten } : {}),
    ...(search ? { search } : {}),
    ...(tieOut ? { tieOut } : {}),
    facets: days.facets,
    days: toColumns(days),
  };
};

const unpackedEntry = (packed: PackedEntry): StoredSummary => {
  if (packed.days === null) return packed;
  const { facets, days, ...head } = packed;
  return { ...head, ...summaryOfDays(fromColumns(days, facets)) };
};

const mapPeriods = <T, U>(periods: Record<string, T>, change: (entry: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(periods).map(([period, entry]) => [period, change(entry)]));

export const summaryFromItem = (item: table.Item | undefined): Summary =>
  item ? mapPeriods(unpackJson(item.packed as Uint8Array) as Record<string, PackedEntry>, unpackedEntry) : {};

export const summaryAttributes = (summary: Summary) => ({ packed: packJson(mapPeriods(summary, packedEntry)) });

/**
 * Returns the entry of a period. The entry has no counts by day if these counts take more than 2 KB and also more than
 * the totals per facet combination, as happens with many accounts and few days.
 */
export const summaryEntry = (index: PeriodIndex, head: Head): StoredSummary => {
  const summary = summarize(index);
  const bytesMax = Math.max(ROW_LIMITS.summaryDaysBytesMax, JSON.stringify(summary.totals).length);
  const fits = packIndex(summary.days).byteLength <= bytesMax;
  return { ...summary, days: fits ? summary.days : null, ...head };
};

/** Returns the number of rows of a period over all facets. */
export const rowsIn = ({ totals }: PeriodSummary): number =>
  Object.values(totals).reduce((sum, count) => sum + count, 0);

/**
 * Returns the index by day against which rows from any replica are checked. Null if rows of this period must be read
 * consistently.
 */
export const settledDays = ({ writtenAtMs, days }: StoredSummary, atMs: number): PeriodIndex | null =>
  writtenAtMs !== undefined && atMs - writtenAtMs > ROW_LIMITS.rowsSettledMs ? days : null;
