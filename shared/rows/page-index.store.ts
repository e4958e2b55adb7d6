/**
 * The stored page index of a scope: `SUMMARY` (totals per period) and one packed `PERIOD` item each. Both change in one
 * transaction, with a version, under the writer's lease; a reader that meets two versions reads again.
 */

import * as z from 'zod';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { dueEntry } from '#shared/table/due-keys.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { fenceOf, firstSequenceOf, sequenceOf } from '#shared/table/late-writers.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { AppError, VersionConflict } from '#shared/values/app-error.ts';
import { retryOnConflict } from '#shared/values/retry-on-conflict.ts';
import { buildFittingIndex, type IndexedRow } from './page-index.rules.ts';
import { type PeriodIndex, unpackIndex } from './page-index-codec.ts';
import { besideRightIndex } from './right-index.ts';
import type { HeldPeriod, ScopeAddress } from './scope-address.ts';
import { type PackedSearch, putSearch, searchHead, searchOf } from './search-index.store.ts';
import { storedTotals } from './stored-totals.ts';
import { type StoredSummary, type Summary, summaryAttributes, summaryEntry, summaryFromItem } from './summary.ts';
import type { PeriodTotals } from './totals.rules.ts';

export const findSummary = async (address: ScopeAddress): Promise<Summary> =>
  summaryFromItem(await table.get(keys.summary(address)));

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
  retryOnConflict([IndexConflict], LIMITS.indexReadAttemptsMax, async (n) =>
    read(n === 1 ? { summary, isConsistent: false } : { summary: await findSummary(address), isConsistent: true }),
  );

/** Facet combinations that have rows in any period. */
export const occurringFacets = (summary: Summary): Set<string> =>
  new Set(Object.values(summary).flatMap(({ totals }) => Object.keys(totals)));

const numbers = () => z.custom<ReadonlySet<number>>((value) => value instanceof Set);

const StoredIndexSchema = z.object({
  version: z.number().exactOptional(),
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
  facets: z.array(z.string()).exactOptional(),
  /** What the source told in total beside the rows as stored (`totals-codec.ts`); null: nothing that could be compared. */
  totals: bytes().nullable(),
});
export const periodItem = item('page index', StoredIndexSchema, {
  absent: ['lookAgainMs', 'packed', 'totals'],
  sets: ['touched'],
});

export interface StoredIndex extends Required<Omit<z.infer<typeof StoredIndexSchema>, 'touched' | 'facets'>> {
  touched: ReadonlySet<string>;
  index: PeriodIndex | null;
}

const fromItem = (found: table.Item): StoredIndex => {
  const { facets = [], touched, packed, ...stored } = periodItem.fromItem(found);
  const index = packed && unpackIndex(packed, facets);
  const empty = { version: 0, dirty: false, pending: new Set<number>(), suspects: new Set<number>() };
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
  const key = keys.period(address, period);
  const touched = new Set(facets);
  await table.transact([
    stillHeld(lease),
    {
      update: key,
      set: { dirty: true, ...dueIn(key, LIMITS.dirtyPeriodMs) },
      add: { pending: new Set([sequenceOf(lease)]), ...(touched.size > 0 ? { touched } : {}) },
    },
  ]);
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
export const openFacetsOf = async (address: ScopeAddress, period: string): Promise<string[]> => {
  const [item] = await table.batchGet([keys.period(address, period)], {
    attributes: ['sk', 'facets', 'touched'],
  });
  const touched = (item?.touched ?? []) as Iterable<string>;
  return [...new Set([...((item?.facets ?? []) as string[]), ...touched])];
};

interface LateRows {
  untilMs: number;
  suspects: ReadonlySet<number>;
  touched: ReadonlySet<string>;
}

/** Whose rows are to be compared with their documents by who reads the period at `atMs`; null: nobody's, or not yet. */
export const oldestSuspect = async (address: ScopeAddress, period: string, atMs: number): Promise<number | null> => {
  const [found] = await table.batchGet([keys.period(address, period)], {
    attributes: ['sk', 'suspects', 'look_again_ms'],
  });
  const { lookAgainMs, suspects = [] } = periodItem.fromItem(found ?? {});
  return lookAgainMs === null || lookAgainMs > atMs ? null : Math.min(...suspects);
};

/**
 * Rows are put without a condition: only its own clock keeps a worker from sending one after its lease is over, and a
 * worker may stand still between that look and the request (`npm run faults -- --replay 4789`). So the rows are read
 * once more when no invocation of that time can be alive: whenever somebody else than their writer makes the index, and
 * whenever rows were written while such a worker may live, since its document may come late under their id.
 * @param comparedAtMs before the rows were read, where they were compared with their documents: only that ends the wait
 */
const lookAgain = (before: StoredIndex | undefined, lease: Lease, comparedAtMs: number | null): LateRows | null => {
  if (before === undefined) return null;
  const { lookAgainMs, pending, touched } = before;
  const isOver = lookAgainMs !== null && comparedAtMs !== null && comparedAtMs >= lookAgainMs;
  const suspects = new Set(isOver ? [] : before.suspects);
  const waits = isOver || lookAgainMs === null ? [] : [lookAgainMs];
  for (const sequence of pending) {
    if (fenceOf(sequence) === lease.fence) continue;
    suspects.add(sequence);
    waits.push(nowMs() + LIMITS.lateWriteMs);
  }
  if (lease.late && pending.size > 0) {
    suspects.add(firstSequenceOf(lease.late.oldestFence));
    waits.push(lease.late.untilMs);
  }
  return waits.length === 0 ? null : { untilMs: Math.max(...waits), suspects, touched };
};

const lookAgainAt = (key: Key, late: LateRows | null) =>
  late && {
    look_again_ms: late.untilMs,
    ...(late.suspects.size > 0 ? { suspects: late.suspects } : {}),
    ...(late.touched.size > 0 ? { touched: late.touched } : {}),
    ...dueEntry(key, new Date(late.untilMs).toISOString()),
  };

const isRight = (before: StoredIndex, told: StoredSummary, packed: Uint8Array, search: PackedSearch | null): boolean =>
  !before.dirty &&
  before.packed !== null &&
  Buffer.compare(before.packed, packed) === 0 &&
  told.version === before.version &&
  told.search?.digest === search?.digest;

/**
 * Makes the stored index say what the rows are. Writes nothing when it already does and is not dirty, but for the time
 * of the sync where rows show it, and for totals. The lease proves that nobody else writes rows of this scope.
 * @param comparedAtMs when a repair began to read the rows, which it compared with their documents; null for a sync, which
 *   just read the period from its source. A repair leaves the time of the last sync
 * @param totals of a sync that was told some. Undefined: those that are stored stay while no row changes. Null: copies of
 *   rows were settled, and they go
 */
export const store = async (
  held: HeldPeriod,
  rows: readonly (IndexedRow & { searchText: string | null })[],
  comparedAtMs: number | null,
  totals?: PeriodTotals | null,
): Promise<void> => {
  const { address, scope, period, lease } = held;
  const isSync = comparedAtMs === null;
  const { index, packed } = buildFittingIndex(rows, LIMITS.indexStrideRows, LIMITS.indexBytesMax);
  const search = scope.search ? searchOf(rows) : null;
  const [stored, summary] = await Promise.all([findPeriods(address, [period]), findSummary(address)]);
  const before = stored.get(period);
  const told = summary[period];
  const late = lookAgain(before, lease, comparedAtMs);
  const key = keys.period(address, period);
  const now = storedTotals(totals);
  const setSummary = (entry: StoredSummary): table.TransactItem => ({
    update: keys.summary(address),
    set: summaryAttributes({ ...summary, [period]: entry }),
  });
  if (before && told && totals !== null && isRight(before, told, packed, search)) {
    const isSettled = before.lookAgainMs !== null && late === null;
    const items = besideRightIndex({
      ...{ key, told, now, isSettled },
      totals: before.totals,
      isShownSync: isSync && scope.derived !== undefined,
    });
    if (items) await table.transact([stillHeld(lease), setSummary(items.entry), ...items.period]);
    return;
  }
  const isKnown = before !== undefined || told !== undefined || rows.length > 0;
  if (!isKnown && totals?.verdict !== 'differs') return;

  const syncedAt = (isSync ? undefined : told?.syncedAt) ?? nowIso();
  const version = Math.max(before?.version ?? 0, told?.version ?? 0) + 1;
  const outdated = await putSearch(held, search);
  await table.transact([
    stillHeld(lease),
    { put: { ...key, version, facets: index.facets, packed, ...lookAgainAt(key, late), ...now.attributes } },
    setSummary(summaryEntry(index, { version, syncedAt, writtenAtMs: nowMs(), ...searchHead(search), ...now.entry })),
    ...outdated.slice(0, LIMITS.transactRemovesMax).map((remove) => ({ remove })),
  ]);
};

/** Looked at again later: a worker has the scope. */
export const postponeRepair = async (address: ScopeAddress, period: string): Promise<void> => {
  const key = keys.period(address, period);
  try {
    await table.update(key, {
      set: dueIn(key, LIMITS.dirtyPeriodMs),
      if: '#dirty = :dirty OR attribute_exists(#look_again_ms)',
      values: { dirty: true },
      otherwise: () => new IsRight(),
    });
  } catch (error) {
    if (!(error instanceof IsRight)) throw error;
  }
};
class IsRight extends AppError {}
