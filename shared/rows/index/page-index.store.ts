/**
 * The stored page index of a scope: one `SUMMARY` item (totals per period) and one packed `PERIOD` item per period. A
 * transaction of the lease's holder changes both items and stores the same version in both. A reader that sees two
 * different versions reads again.
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
import { announcedNumber } from './announce-scope.store.ts';
import { type Summary, summaryFromItem } from './summary.ts';

export const findSummary = async (address: ScopeAddress): Promise<Summary> =>
  summaryFromItem(await table.get(keys.summary(address)));

interface ScopeSummary {
  summary: Summary;
  /** The newest sequence of the scope. All writes up to it are stored. */
  seq: number;
  /** Number of the scope's entry in the organization's feed. Null if the scope was never announced. */
  entry: number | null;
}

export const findScopeSummary = async (address: ScopeAddress): Promise<ScopeSummary> => {
  const found = await table.get(keys.summary(address));
  const seq = (found?.seq as number | undefined) ?? 0;
  return { summary: summaryFromItem(found), seq, entry: announcedNumber(found) };
};

/** The index changed while a page was read, or a replica's rows do not match the index. The caller reads again. */
export class IndexConflict extends VersionConflict {}

export interface SummaryView {
  summary: Summary;
  /** True if the items that the summary names must be read consistently. */
  isConsistent: boolean;
}

/**
 * Runs `read` with the given summary. If the index changes during the read, runs `read` again with a fresh summary. In
 * the first run, items may come from any replica at half the read units: the versions of the items and the check in
 * `settled-rows.rules.ts` detect outdated items.
 */
export const whileIndexStands = async <T>(
  address: ScopeAddress,
  summary: Summary,
  read: (view: SummaryView) => Promise<T>,
): Promise<T> =>
  retryOnConflict([IndexConflict], ROW_LIMITS.indexReadAttemptsMax, async (n) =>
    read(n === 1 ? { summary, isConsistent: false } : { summary: await findSummary(address), isConsistent: true }),
  );

/** Returns the facet combinations that have rows in any period. */
export const occurringFacets = (summary: Summary): Set<string> =>
  new Set(Object.values(summary).flatMap(({ totals }) => Object.keys(totals)));

const numbers = () => z.custom<ReadonlySet<number>>((value) => value instanceof Set);

const StoredIndexSchema = z.object({
  version: z.number().exactOptional(),
  /** Sequence of the write that last stored the index. */
  seq: z.number().exactOptional(),
  dirty: z.boolean().exactOptional(),
  /** True from the first row of a reading's write until the index after its last row is stored. */
  isHalfWritten: z.boolean().exactOptional(),
  /** Sequences of row writes since the index was last correct. */
  pending: numbers().exactOptional(),
  /** Sequences in `pending` whose worker was superseded. */
  suspects: numbers().exactOptional(),
  /**
   * Time at which the repair reads the rows once more, in epoch ms, because rows of a superseded worker may arrive
   * late.
   */
  lookAgainMs: z.number().nullable(),
  /** Open facet combinations that the late rows may have. */
  touched: z.array(z.string()),
  packed: bytes().nullable(),
  /** Stamps that show when the rows of each block were announced (`stamps.rules.ts`). */
  stamps: bytes().nullable(),
  facets: z.array(z.string()).exactOptional(),
  /** The source's totals compared with the stored rows (`totals-codec.ts`). Null if nothing was comparable. */
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

/** Returns the stamps stored with an index, or `NO_STAMPS` if no stamps are stored. */
export const unpackStoredStamps = (stored: StoredIndex | undefined): Stamps =>
  stored?.stamps ? unpackStamps(stored.stamps) : NO_STAMPS;

const fromItem = (found: table.Item): StoredIndex => {
  const { facets = [], touched, packed, ...stored } = periodItem.fromItem(found);
  const index = packed && unpackIndex(packed, facets);
  const unmarked = { dirty: false, isHalfWritten: false };
  const empty = { version: 0, seq: 0, ...unmarked, pending: new Set<number>(), suspects: new Set<number>() };
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

interface DirtyOptions {
  /** True if the rows of a reading are written, so that the period is half written until its last row is stored. */
  isReading?: boolean;
  /**
   * Open facet combinations that the rows will use; the index does not contain them yet, but its repair must read them.
   */
  facets?: Iterable<string>;
}

/** Marks the index as outdated before the first row of a period is written. */
export const markDirty = async (
  address: ScopeAddress,
  period: string,
  lease: Lease,
  options: DirtyOptions = {},
): Promise<void> => {
  await table.transact([stillHeld(lease), dirtyMark(address, period, lease, options)]);
};

/** Returns the mark of `markDirty` as an item of the transaction that writes the rows. */
export const dirtyMark = (
  address: ScopeAddress,
  period: string,
  lease: Lease,
  { isReading = false, facets = [] }: DirtyOptions = {},
): table.TransactItem => {
  const key = keys.period(address, period);
  const touched = new Set(facets);
  return {
    update: key,
    set: { dirty: true, ...(isReading ? { is_half_written: true } : {}), ...dueIn(key, ROW_LIMITS.dirtyPeriodMs) },
    add: { pending: new Set([toSequence(lease)]), ...(touched.size > 0 ? { touched } : {}) },
  };
};

const periodOf = (key: Key): string => key.sk.slice(keys.periodPrefix.length);

/** Returns all periods in which a row was ever written. */
export const storedPeriods = async (address: ScopeAddress): Promise<string[]> =>
  (await table.query(keys.index(address), { prefix: keys.periodPrefix, attributes: ['sk'] })).map(periodOf);

/**
 * True if any row of the scope was ever written or is about to be written. Rows are written before the summary, so
 * after a crash only the mark on their period exists.
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

/** Returns the open facet combinations that a period has, or that a writer was about to add. */
export const findOpenFacets = async (address: ScopeAddress, period: string): Promise<string[]> => {
  const [item] = await table.batchGet([keys.period(address, period)], {
    attributes: ['sk', 'facets', 'touched'],
  });
  const touched = (item?.touched ?? []) as Iterable<string>;
  return [...new Set([...((item?.facets ?? []) as string[]), ...touched])];
};

/**
 * Returns the oldest suspect sequence, or null if there is nothing to compare yet. A repair that reads the period at
 * `atMs` must compare each row that has this sequence or a later sequence with the row's document.
 */
export const oldestSuspect = async (address: ScopeAddress, period: string, atMs: number): Promise<number | null> => {
  const [found] = await table.batchGet([keys.period(address, period)], {
    attributes: ['sk', 'suspects', 'look_again_ms'],
  });
  const { lookAgainMs, suspects = [] } = periodItem.fromItem(found ?? {});
  return lookAgainMs === null || lookAgainMs > atMs ? null : Math.min(...suspects);
};

/** Postpones the repair, because a worker holds the lease of the scope. */
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
