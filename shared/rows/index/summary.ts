/** `SUMMARY` as an item: rows by day and facet combination of every period, packed together. Totals and days follow. */

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
  /** Of the write that stored the index of the period last; absent: before this was told. */
  seq?: number;
  syncedAt: string;
  /** Rows of the period were last written before, in epoch ms. Absent: before this was told. */
  writtenAtMs?: number;
  /** The parts of its search index, where the scope is searched. */
  search?: StoredSearch;
  /** Does it tie out? Absent: not told. */
  tieOut?: TieOut;
}

/** Of the totals of a period, which its `PERIOD` holds in full. */
export interface TieOut {
  verdict: 'equal' | 'differs';
  /** The first figures that differ; absent: none. */
  differences?: readonly Difference[];
}

export const summarizeTieOut = (totals: PeriodTotals | null): Pick<Head, 'tieOut'> => {
  if (totals === null || totals.verdict === 'not_told') return {};
  const differences = differencesIn(totals).slice(0, ROW_LIMITS.differencesMax);
  return { tieOut: { verdict: totals.verdict, ...(differences.length > 0 ? { differences } : {}) } };
};

export interface StoredSummary extends PeriodSummary, Head {}

/** Period → summary. Empty when nothing was ever stored. */
export type Summary = Record<string, StoredSummary>;

type PackedEntry = Head & ({ facets: readonly string[]; days: IndexColumns } | (PeriodSummary & { days: null }));

const packedEntry = (entry: StoredSummary): PackedEntry => {
  const { version, seq, syncedAt, writtenAtMs, search, tieOut, days } = entry;
  if (days === null) return { ...entry, days };
  return {
    version,
    ...(seq === undefined ? {} : { seq }),
    syncedAt,
    ...(writtenAtMs === undefined ? {} : { writtenAtMs }),
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

/** Without its days where they weigh more than 2 KB and more than the totals by name: many accounts, few days. */
export const summaryEntry = (index: PeriodIndex, head: Head): StoredSummary => {
  const summary = summarize(index);
  const bytesMax = Math.max(ROW_LIMITS.summaryDaysBytesMax, JSON.stringify(summary.totals).length);
  const fits = packIndex(summary.days).byteLength <= bytesMax;
  return { ...summary, days: fits ? summary.days : null, ...head };
};

/** Rows of a period, of every facet. */
export const rowsIn = ({ totals }: PeriodSummary): number =>
  Object.values(totals).reduce((sum, count) => sum + count, 0);

/** The days by which rows of any replica are judged; null: rows of this period are read consistently. */
export const settledDays = ({ writtenAtMs, days }: StoredSummary, atMs: number): PeriodIndex | null =>
  writtenAtMs !== undefined && atMs - writtenAtMs > ROW_LIMITS.rowsSettledMs ? days : null;
