/**
 * The stored page index of a scope: `SUMMARY` (totals per period) and one packed `PERIOD` item each. Both change in one
 * transaction, with a version, under the writer's lease; a reader that meets two versions reads again.
 */

import * as z from 'zod';
import { type PeriodIndex, unpackIndex } from '#shared/rows/item/page-index-codec.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { NO_STAMPS, type Stamps, unpackStamps } from '#shared/rows/item/stamps.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { toSequence } from '#shared/table/late-writers.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { type Summary, summaryFromItem } from './summary.ts';

export const findSummary = async (address: ScopeAddress): Promise<Summary> =>
  summaryFromItem(await table.get(keys.summary(address)));

/** The same with the newest sequence of the scope: everything up to it is stored. */
export const findScopeSummary = async (address: ScopeAddress): Promise<{ summary: Summary; seq: number }> => {
  const found = await table.get(keys.summary(address));
  return { summary: summaryFromItem(found), seq: (found?.seq as number | undefined) ?? 0 };
};

/** The index moved while a page was read, or rows of some replica do not fit it; the caller reads again. */
export class IndexConflict extends VersionConflict {}

export interface SummaryView {
  summary: Summary;
  /** Is what the summary names read consistently? */
  isConsistent: boolean;
}

/**
 * Reads by a summary, and by a fresh one as long as the index moves on meanwhile. What it names may be read from any
 * replica the first time, at half the units: an index says its version, settled rows must fit it (`settled-rows.rules`).
 */
export const whileIndexStands = async <T>(
  address: ScopeAddress,
  summary: Summary,
  read: (view: SummaryView) => Promise<T>,
): Promise<T> =>
  retryOnConflict([IndexConflict], ROW_LIMITS.indexReadAttemptsMax, async (n) =>
    read(n === 1 ? { summary, isConsistent: false } : { summary: await findSummary(address), isConsistent: true }),
  );

/** Facet combinations that have rows in any period. */
export const occurringFacets = (summary: Summary): Set<string> =>
  new Set(Object.values(summary).flatMap(({ totals }) => Object.keys(totals)));

const numbers = () => z.custom<ReadonlySet<number>>((value) => value instanceof Set);

const StoredIndexSchema = z.object({
  version: z.number().exactOptional(),
  /** Of the write that stored the index last. */
  seq: z.number().exactOptional(),
  dirty: z.boolean().exactOptional(),
  /** Sequences of the writes of rows since the index was right. */
  pending: numbers().exactOptional(),
  /** Sequences of such writes whose worker was taken over. */
  suspects: numbers().exactOptional(),
  /** Looked at again then, in epoch ms: rows of a worker that was taken over may have come late. */
  lookAgainMs: z.number().nullable(),
  /** Open facet combinations that those rows may have. */
  touched: z.array(z.string()),
  packed: bytes().nullable(),
  /** When the rows of each block were announced (`stamps.rules.ts`). */
  stamps: bytes().nullable(),
  facets: z.array(z.string()).exactOptional(),
  /** What the source told in total beside the rows as stored (`totals-codec.ts`); null: nothing that could be compared. */
  totals: bytes().nullable(),
});
export const periodItem = item('page index', StoredIndexSchema, {
  absent: ['lookAgainMs', 'packed', 'stamps', 'totals'],
  sets: ['touched'],
});

export interface StoredIndex extends Required<Omit<z.infer<typeof StoredIndexSchema>, 'touched' | 'facets'>> {
  touched: ReadonlySet<string>;
  index: PeriodIndex | null;
}

/** The stamps that were stored with an index. */
export const unpackStoredStamps = (stored: StoredIndex | undefined): Stamps =>
  stored?.stamps ? unpackStamps(stored.stamps) : NO_STAMPS;

const fromItem = (found: table.Item): StoredIndex => {
  const { facets = [], touched, packed, ...stored } = periodItem.fromItem(found);
  const index = packed && unpackIndex(packed, facets);
  const empty = { version: 0, seq: 0, dirty: false, pending: new Set<number>(), suspects: new Set<number>() };
  return { ...empty, ...stored, touched: new Set(touched), packed, index };
};

export const findPeriods = async (
  address: ScopeAddress,
  periods: readonly string[],
  { isConsistent }: Pick<SummaryView, 'isConsistent'> = { isConsistent: true },
): Promise<Map<string, StoredIndex>> => {
  const wanted = periods.map((period) => keys.period(address, period));
  const items = await table.batchGet(wanted, { consistent: isConsistent });
  return new Map(items.map((item) => [periodOf(item), fromItem(item)]));
};

/**
 * Before the first row of a period is written: from here on the index may not be believed. `facets`: open facet
 * combinations that are about to be written to; the index does not know them yet, and its repair must.
 */
export const markDirty = async (
  address: ScopeAddress,
  period: string,
  lease: Lease,
  facets: Iterable<string> = [],
): Promise<void> => {
  await table.transact([stillHeld(lease), dirtyMark(address, period, lease, facets)]);
};

/** The same as part of a transaction that writes the rows. */
export const dirtyMark = (
  address: ScopeAddress,
  period: string,
  lease: Lease,
  facets: Iterable<string> = [],
): table.TransactItem => {
  const key = keys.period(address, period);
  const touched = new Set(facets);
  return {
    update: key,
    set: { dirty: true, ...dueIn(key, ROW_LIMITS.dirtyPeriodMs) },
    add: { pending: new Set([toSequence(lease)]), ...(touched.size > 0 ? { touched } : {}) },
  };
};

const periodOf = (key: Key): string => key.sk.slice(keys.periodPrefix.length);

/** Periods of which anything was ever written. */
export const storedPeriods = async (address: ScopeAddress): Promise<string[]> =>
  (await table.query(keys.index(address), { prefix: keys.periodPrefix, attributes: ['sk'] })).map(periodOf);

/**
 * Was any row of the scope ever written, or about to be? The summary comes after the rows, so that a worker that died in
 * between leaves rows without one: then the mark on their period tells.
 */
export const isAnythingStored = async (address: ScopeAddress): Promise<boolean> => {
  if (Object.keys(await findSummary(address)).length > 0) return true;
  const marks = { prefix: keys.periodPrefix, attributes: ['sk'], limit: 1 };
  return (await table.query(keys.index(address), marks)).length > 0;
};

export const dirtyPeriods = async (address: ScopeAddress): Promise<string[]> => {
  const items = await table.query(keys.index(address), { prefix: keys.periodPrefix, attributes: ['sk', 'dirty'] });
  return items.filter((item) => item.dirty === true).map(periodOf);
};

/** Open facet combinations that a period has, or that a writer was about to give it. */
export const findOpenFacets = async (address: ScopeAddress, period: string): Promise<string[]> => {
  const [item] = await table.batchGet([keys.period(address, period)], {
    attributes: ['sk', 'facets', 'touched'],
  });
  const touched = (item?.touched ?? []) as Iterable<string>;
  return [...new Set([...((item?.facets ?? []) as string[]), ...touched])];
};

/** Whose rows are to be compared with their documents by who reads the period at `atMs`; null: nobody's, or not yet. */
export const oldestSuspect = async (address: ScopeAddress, period: string, atMs: number): Promise<number | null> => {
  const [found] = await table.batchGet([keys.period(address, period)], {
    attributes: ['sk', 'suspects', 'look_again_ms'],
  });
  const { lookAgainMs, suspects = [] } = periodItem.fromItem(found ?? {});
  return lookAgainMs === null || lookAgainMs > atMs ? null : Math.min(...suspects);
};

/** Looked at again later: a worker has the scope. */
export const postponeRepair = async (address: ScopeAddress, period: string): Promise<void> => {
  const key = keys.period(address, period);
  try {
    await table.update(key, {
      set: dueIn(key, ROW_LIMITS.dirtyPeriodMs),
      if: '#dirty = :dirty OR attribute_exists(#look_again_ms)',
      values: { dirty: true },
      otherwise: () => new IsRight(),
    });
  } catch (error) {
    if (!(error instanceof IsRight)) throw error;
  }
};
class IsRight extends AppError {}
