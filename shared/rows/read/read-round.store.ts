/**
 * Reads one scope's part of a page of changes: continues the open round of the scope or begins a round
 * (docs/data-model.md, "Changes"). Tombstones come before rows, because a late put may bring a removed row back.
 */

import {
  changedRanges,
  endPeriod,
  isLeft,
  keyAfter,
  type RowRange,
  startPeriod,
} from '#shared/rows/index/changed-blocks.rules.ts';
import {
  findPeriods,
  findScopeSummary,
  IndexConflict,
  type StoredIndex,
  unpackStoredStamps,
} from '#shared/rows/index/page-index.store.ts';
import { rowsIn, type StoredSummary, type Summary } from '#shared/rows/index/summary.ts';
import {
  type ChangeRound,
  CursorUnreadable,
  type RowPlace,
  type ScopePosition,
} from '#shared/rows/item/change-cursor.rules.ts';
import type { PeriodIndex } from '#shared/rows/item/page-index-codec.ts';
import { listRow, sequencesOfItem } from '#shared/rows/item/row-items.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { announced, type Stamps } from '#shared/rows/item/stamps.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { tombstoneItem } from '#shared/rows/write/tombstone.store.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { mustGet } from '#shared/values/must-get.ts';

export interface RowChange {
  /** `created` means that the row was first put after the cursor. A reader may treat `created` like `updated`. */
  change: 'created' | 'updated' | 'deleted';
  scope: string;
  id: string;
  /** Newest sequence of the scope when the round began. It never decreases within a scope. */
  sequence: number;
  /** `YYYY-MM`. For an observation, the month of the observation. */
  period: string;
  /** The row as the scope's list shows it; null if removed. */
  row: Row | null;
  /** For a removed row: the listed fields that identify the row at its source. Otherwise null. */
  key: Row | null;
  /** The run that last changed or removed the row; null if a repair did. */
  runId: string | null;
  /** Time of the removal in ISO 8601. Null for other changes, whose time is the time of their run. */
  removedAt: string | null;
}

export interface Scoped {
  scope: ScopeDefinition;
  address: ScopeAddress;
}

/** The changes that a call found, and its remaining limits. */
export interface ChangeReading {
  changes: RowChange[];
  limit: number;
  readsLeft: number;
}

export const isFull = ({ changes, limit, readsLeft }: ChangeReading): boolean =>
  changes.length >= limit || readsLeft <= 0;

const left = ({ changes, limit }: ChangeReading): number => limit - changes.length;

/**
 * Returns the position after which the round continues, or null if every tombstone of the round was sent.
 * @throws CursorUnreadable if the position is outside the round
 */
const readDeleted = async (
  { scope, address }: Scoped,
  { c, upTo }: { c: number; upTo: number },
  place: string | null,
  reading: ChangeReading,
): Promise<string | null> => {
  const { pk, from, to } = keys.tombstones(address, c + 1, upTo);
  // The partition also contains items that are not tombstones. A forged cursor must not reach those items.
  if (place !== null && (place < from || place >= to)) throw new CursorUnreadable('is not a cursor of this path');
  const limit = left(reading);
  reading.readsLeft--;
  const found = await table.query(pk, { from: place === null ? from : keyAfter(place), to, limit });
  for (const one of found) {
    const { id, period, key, runId, removedAt } = tombstoneItem.fromItem(one);
    const told = { scope: scope.name, id, sequence: upTo, period, row: null, key, runId, removedAt };
    reading.changes.push({ change: 'deleted', ...told });
  }
  return found.length < limit ? null : found.at(-1)!.sk;
};

interface PeriodReading {
  scoped: Scoped;
  period: string;
  entry: StoredSummary;
  stamps: Stamps;
  c: number;
  upTo: number;
}

const changeOf = (
  { scoped: { scope }, period, entry, stamps, c, upTo }: PeriodReading,
  found: table.Item,
): RowChange | null => {
  const { sequence, createdSequence } = sequencesOfItem(found);
  if (announced(stamps.late, sequence) <= c) return null;
  return {
    change: announced(stamps.late, createdSequence) > c ? 'created' : 'updated',
    scope: scope.name,
    id: rowSortKeyParts(found.sk).rowId,
    sequence: upTo,
    period,
    row: listRow(scope, found, entry.syncedAt),
    key: null,
    runId: found.updated_run as string,
    removedAt: null,
  };
};

/** Returns the position after which the round continues, or null if the range was read to its end. */
const readRange = async (
  of: PeriodReading,
  { facets, from, to }: RowRange,
  reading: ChangeReading,
): Promise<RowPlace | null> => {
  const pk = keys.rows(of.scoped.address, of.period, facets);
  let start = from;
  for (;;) {
    const limit = left(reading);
    reading.readsLeft--;
    const found = await table.query(pk, {
      ...(start === undefined ? {} : { from: start }),
      to,
      limit,
    });
    for (const one of found) {
      const change = changeOf(of, one);
      if (change) reading.changes.push(change);
    }
    if (found.length < limit) return null;
    const { sk: sortKey } = found.at(-1)!;
    if (isFull(reading)) return { period: of.period, facets, sortKey };
    start = keyAfter(sortKey);
  }
};

/**
 * Returns the periods whose indexes are read together: the first periods whose rows fill the page if all these rows
 * changed.
 */
const together = (periods: readonly string[], summary: Summary, rows: number): string[] => {
  const few: string[] = [];
  let most = 0;
  for (const period of periods.slice(0, ROW_LIMITS.changeIndexesAtOnce)) {
    if (most >= rows) break;
    few.push(period);
    most += rowsIn(mustGet(summary, period));
  }
  return few;
};

/**
 * Finds indexes at least as new as the summary. Reads from any replica first, and reads outdated indexes again
 * consistently.
 * @throws IndexConflict
 */
const findIndexes = async (
  address: ScopeAddress,
  periods: readonly string[],
  summary: Summary,
): Promise<Map<string, StoredIndex>> => {
  const isCurrent = (period: string, found: StoredIndex | undefined): boolean =>
    found !== undefined && found.seq >= (mustGet(summary, period).seq ?? 0);
  const found = await findPeriods(address, periods, { isConsistent: false });
  const behind = periods.filter((period) => !isCurrent(period, found.get(period)));
  if (behind.length === 0) return found;
  const again = await findPeriods(address, behind);
  for (const period of behind) {
    if (!isCurrent(period, again.get(period))) throw new IndexConflict();
    found.set(period, mustGet(again, period));
  }
  return found;
};

/** Returns the position after which the round continues, or null if the period was read to its end. */
const readPeriodChanges = async (
  of: PeriodReading,
  index: PeriodIndex,
  place: RowPlace | null,
  reading: ChangeReading,
): Promise<RowPlace | null> => {
  const { period, stamps, c } = of;
  let last = place ?? startPeriod(period);
  for (const range of changedRanges(index, stamps, c, place)) {
    if (isFull(reading)) return last;
    const stop = await readRange(of, range, reading);
    if (stop !== null) return stop;
    last = { period, facets: range.facets, sortKey: range.to };
  }
  return null;
};

/** Returns the position after which the round continues, or null if the round was read to its end. */
const readRows = async (
  scoped: Scoped,
  summary: Summary,
  { c, upTo, place }: { c: number; upTo: number; place: RowPlace | null },
  reading: ChangeReading,
): Promise<RowPlace | null> => {
  let last = place;
  let periods = Object.keys(summary)
    .filter((period) => (mustGet(summary, period).seq ?? 1) > c && isLeft(period, place))
    .sort();
  while (periods.length > 0) {
    if (isFull(reading)) return last ?? startPeriod(periods[0]!);
    const few = together(periods, summary, left(reading));
    reading.readsLeft -= few.length;
    const indexes = await findIndexes(scoped.address, few, summary);
    for (const period of few) {
      const stored = mustGet(indexes, period);
      const of = { scoped, period, entry: mustGet(summary, period), stamps: unpackStoredStamps(stored), c, upTo };
      const here = last?.period === period ? last : null;
      const stop = stored.index && (await readPeriodChanges(of, stored.index, here, reading));
      if (stop !== null) return stop;
      last = endPeriod(period);
    }
    periods = periods.slice(few.length);
  }
  return null;
};

/** Continues the open round of a scope, or begins a round, within the limits of the call. */
export const readScope = async (
  scoped: Scoped,
  before: ScopePosition,
  reading: ChangeReading,
): Promise<ScopePosition> => {
  const { c } = before;
  reading.readsLeft--;
  const { summary, seq } = await findScopeSummary(scoped.address);
  const round: ChangeRound = before.round ?? { upTo: seq, phase: { kind: 'deleted', after: null } };
  const { upTo } = round;
  let { phase } = round;
  if (phase.kind === 'deleted') {
    const stop = await readDeleted(scoped, { c, upTo }, phase.after, reading);
    if (stop !== null) return { c, round: { upTo, phase: { kind: 'deleted', after: stop } } };
    phase = { kind: 'rows', after: null };
  }
  const stop = await readRows(scoped, summary, { c, upTo, place: phase.after }, reading);
  return stop === null ? { c: upTo, round: null } : { c, round: { upTo, phase: { kind: 'rows', after: stop } } };
};
