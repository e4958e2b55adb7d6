/**
 * The stored page index of a scope: `SUMMARY` (totals per period) and one packed `PERIOD` item each. Both change in one
 * transaction, with a version, under the writer's lease; a reader that meets two versions reads again.
 */
import {
  buildFittingIndex,
  type IndexedRow,
  type PeriodIndex,
  type PeriodSummary,
  packIndex,
  summarize,
  unpackIndex,
} from '#shared/domain/page-index.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { type Key, keys } from './keys.ts';
import { type Lease, stillHeld } from './leases.ts';
import * as table from './table.ts';
import { dueIn } from './works.ts';

export interface ScopeAddress {
  organizationId: string;
  connectionId: string;
  scope: string;
}

export interface StoredSummary extends PeriodSummary {
  version: number;
  syncedAt: string;
}

/** Period → summary. Empty when nothing was ever stored. */
export type Summary = Record<string, StoredSummary>;

export const summaryKey = (address: ScopeAddress): Key =>
  keys.summary(address.organizationId, address.connectionId, address.scope);
const periodKey = (address: ScopeAddress, period: string): Key =>
  keys.period(address.organizationId, address.connectionId, address.scope, period);

export const summaryFromItem = (item: table.Item | undefined): Summary => (item?.periods as Summary | undefined) ?? {};

export const findSummary = async (address: ScopeAddress): Promise<Summary> =>
  summaryFromItem(await table.get(summaryKey(address)));

export interface StoredIndex {
  version: number;
  dirty: boolean;
  packed: Uint8Array | null;
  index: PeriodIndex | null;
}

const fromItem = (item: table.Item): StoredIndex => ({
  version: item.version ?? 0,
  dirty: item.dirty === true,
  packed: (item.packed as Uint8Array | undefined) ?? null,
  index: item.packed ? unpackIndex(item.packed as Uint8Array, item.facets as string[]) : null,
});

export const findPeriods = async (
  address: ScopeAddress,
  periods: readonly string[],
): Promise<Map<string, StoredIndex>> => {
  const items = await table.batchGet(periods.map((period) => periodKey(address, period)));
  return new Map(items.map((item) => [item.sk.slice(item.sk.indexOf('#') + 1), fromItem(item)]));
};

/** Before the first row of a period is written: from here on the index may not be believed. */
export const markDirty = async (address: ScopeAddress, period: string, lease: Lease): Promise<void> => {
  const key = periodKey(address, period);
  await table.transact([stillHeld(lease), { update: key, set: { dirty: true, ...dueIn(key, LIMITS.dirtyPeriodMs) } }]);
};

export const dirtyPeriods = async (address: ScopeAddress): Promise<string[]> => {
  const items = await table.query(keys.index(address.organizationId, address.connectionId, address.scope), {
    prefix: keys.periodPrefix,
    attributes: ['sk', 'dirty'],
  });
  return items.filter((item) => item.dirty === true).map((item) => item.sk.slice(item.sk.indexOf('#') + 1));
};

/**
 * Makes the stored index say what the rows are. Writes nothing when it already does and is not dirty.
 * `lease` proves that nobody else writes rows of this scope.
 */
export const store = async (
  address: ScopeAddress,
  period: string,
  rows: readonly IndexedRow[],
  lease: Lease,
): Promise<void> => {
  const index = buildFittingIndex(rows, LIMITS.indexStrideRows, LIMITS.indexBytesMax);
  const packed = packIndex(index);
  const [stored, summary] = await Promise.all([findPeriods(address, [period]), findSummary(address)]);
  const before = stored.get(period);
  const same =
    before !== undefined && !before.dirty && before.packed !== null && Buffer.compare(before.packed, packed) === 0;
  if (same && summary[period]?.version === before.version) return;
  if (rows.length === 0 && before === undefined && summary[period] === undefined) return;

  const version = Math.max(before?.version ?? 0, summary[period]?.version ?? 0) + 1;
  const key = periodKey(address, period);
  const entry: StoredSummary = { ...summarize(index), version, syncedAt: nowIso() };
  await table.transact([
    stillHeld(lease),
    { put: { ...key, version, facets: index.facets, packed } },
    { update: summaryKey(address), set: { periods: { ...summary, [period]: entry } } },
  ]);
};

/** Looked at again later: a worker has the scope. */
export const postponeRepair = async (address: ScopeAddress, period: string): Promise<void> => {
  const key = periodKey(address, period);
  try {
    await table.update(key, {
      set: dueIn(key, LIMITS.dirtyPeriodMs),
      if: '#dirty = :dirty',
      values: { dirty: true },
      otherwise: () => new NotDirty(),
    });
  } catch (error) {
    if (!(error instanceof NotDirty)) throw error;
  }
};
class NotDirty extends Error {}
