/**
 * `SUMMARY` as an item. Rows by day and facet combination are all that is told of a period, packed: its totals and its
 * days follow. Facet combinations are named once for all periods.
 */

import { LIMITS } from '#shared/platform/limits.ts';
import type * as table from '#shared/table/table.ts';
import { type PeriodSummary, summaryOfDays, withFacets } from './page-index.rules.ts';
import { packIndex, unpackIndex } from './page-index-codec.ts';
import type { StoredSearch } from './search-index.store.ts';

export interface StoredSummary extends PeriodSummary {
  version: number;
  syncedAt: string;
  /** The parts of its search index, where the scope is searched. */
  search?: StoredSearch;
}

/** Period → summary. Empty when nothing was ever stored. */
export type Summary = Record<string, StoredSummary>;

type Told = Pick<StoredSummary, 'version' | 'syncedAt' | 'search'>;
type Packed = Told & { days: Uint8Array };
/** Of too many days to tell them all; every period was stored so before days were told. */
type Bare = Told & Omit<PeriodSummary, 'days'>;

interface SummaryAttributes {
  facets: string[];
  periods: Record<string, Packed | Bare>;
}

export const summaryFromItem = (item: table.Item | undefined): Summary => {
  const { facets = [], periods = {} } = (item ?? {}) as Partial<SummaryAttributes>;
  return Object.fromEntries(
    Object.entries(periods).map(([period, stored]) => {
      if (!('days' in stored)) return [period, { ...stored, days: null }];
      return [period, { ...stored, ...summaryOfDays(unpackIndex(stored.days, facets)) }];
    }),
  );
};

/** What the totals of a period weigh by name: where many accounts are, more than its days. */
const bytesOfTotals = ({ totals }: PeriodSummary): number => JSON.stringify(totals).length;

export const summaryAttributes = (summary: Summary): SummaryAttributes => {
  const told = Object.values(summary).flatMap(({ days }) => days?.facets ?? []);
  const facets = [...new Set(told)].sort();
  const periods = Object.entries(summary).map(([period, entry]): [string, Packed | Bare] => {
    const { version, syncedAt, search, days, ...bare } = entry;
    const head: Told = { version, syncedAt, ...(search ? { search } : {}) };
    const packed = days && packIndex(withFacets(days, facets));
    const fits = packed !== null && packed.byteLength <= Math.max(LIMITS.summaryDaysBytesMax, bytesOfTotals(entry));
    return [period, fits ? { ...head, days: packed } : { ...head, ...bare }];
  });
  return { facets, periods: Object.fromEntries(periods) };
};
