/**
 * Stores the page index of a period: `PERIOD`, `SUMMARY`, the newest sequence of the scope in `CHANGES` and an entry in
 * the organization's feed, in one transaction of the lease's holder. This transaction makes the written rows appear in
 * lists and in the change feeds.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import type { HeldPeriod } from '#shared/rows/item/scope-address.ts';
import { buildFittingStamps, lateAfter, type Sequenced } from '#shared/rows/item/stamps.rules.ts';
import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { dueEntry } from '#shared/table/due-keys.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { nextSequence, toFence, toFirstSequence } from '#shared/table/late-writers.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import { withAnnouncement } from './announce-scope.store.ts';
import { buildFittingIndex, descending, type IndexedRow } from './page-index.rules.ts';
import { findPeriods, findScopeSummary, type StoredIndex, unpackStoredStamps } from './page-index.store.ts';
import { besideRightIndex } from './right-index.ts';
import { buildSearch, type PackedSearch, putSearch, searchHead } from './search-index.store.ts';
import { storedTotals } from './stored-totals.ts';
import { type StoredSummary, summaryAttributes, summaryEntry } from './summary.ts';

/**
 * A later write of the scope is already stored although this worker holds the lease. This is impossible as long as
 * sequences only grow.
 */
export class SequencePassed extends AppError {}

interface LateRows {
  untilMs: number;
  suspects: ReadonlySet<number>;
  touched: ReadonlySet<string>;
}

/**
 * True if the wait for late rows is over.
 * @param comparedAtMs time before the rows were read, if they were compared with their documents; only a read with this
 * comparison ends the wait
 */
const isWaitOver = (before: StoredIndex, comparedAtMs: number | null): boolean =>
  before.lookAgainMs !== null && comparedAtMs !== null && comparedAtMs >= before.lookAgainMs;

/**
 * Decides whether the rows must be read once more after the wait for late rows. Row writes are unconditional, so only
 * the worker's own clock stops the worker from writing after its lease ended, and the worker may be paused between the
 * clock check and the request (`npm run faults -- --replay 4789`). The second read is needed in two cases: the worker
 * that builds the index did not write the rows, or rows were written while a superseded worker may still run. In the
 * second case, the superseded worker's document may arrive late under the same id.
 */
const lookAgain = (before: StoredIndex | undefined, lease: Lease, comparedAtMs: number | null): LateRows | null => {
  if (before === undefined) return null;
  const { lookAgainMs, pending, touched } = before;
  const isOver = isWaitOver(before, comparedAtMs);
  const suspects = new Set(isOver ? [] : before.suspects);
  const waits = isOver || lookAgainMs === null ? [] : [lookAgainMs];
  for (const sequence of pending) {
    if (toFence(sequence) === lease.fence) continue;
    suspects.add(sequence);
    waits.push(nowMs() + TABLE_LIMITS.lateWriteMs);
  }
  if (lease.late && pending.size > 0) {
    suspects.add(toFirstSequence(lease.late.oldestFence));
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

/** The built index of a period. `isSync` is true if the whole period has just been read from its source. */
interface BuiltIndex {
  packed: Uint8Array;
  search: PackedSearch | null;
  isSync: boolean;
}

const isRight = (before: StoredIndex, told: StoredSummary, { packed, search, isSync }: BuiltIndex): boolean =>
  !before.dirty &&
  !(isSync && before.isHalfWritten) &&
  before.packed !== null &&
  Buffer.compare(before.packed, packed) === 0 &&
  told.version === before.version &&
  told.search?.digest === search?.digest;

/** A repair indexes the rows of a half written period but does not complete them, so the mark stays. */
const halfWrittenMark = (before: StoredIndex | undefined, isSync: boolean) => {
  const isHalfWritten = !isSync && before?.isHalfWritten === true;
  return isHalfWritten
    ? ({ entry: { isHalfWritten }, attributes: { is_half_written: true } } as const)
    : { entry: {}, attributes: {} };
};

/**
 * Returns the sequences of row writes that were never announced, or whose rows may have arrived after the announcement.
 */
const unannounced = (before: StoredIndex | undefined, comparedAtMs: number | null): ReadonlySet<number> =>
  new Set(before && [...before.pending, ...(isWaitOver(before, comparedAtMs) ? before.suspects : [])]);

export type StorableRow = IndexedRow & Sequenced & { searchText: string | null };

export interface Storing {
  /**
   * Sequence of the write that put the rows. Null if no rows were put; in this case storing the index is a write with
   * its own sequence.
   */
  sequence: number | null;
  /**
   * Time before a repair read the rows and compared them with their documents. Null for a sync, which has just read the
   * period from its source.
   */
  comparedAtMs: number | null;
  /**
   * Totals that the source reported in a sync. If undefined, the stored totals stay while no row changes. If null, late
   * copies of rows were settled, so the stored totals are removed.
   */
  totals?: PeriodTotals | null | undefined;
}

/**
 * Updates the stored index to the given rows and announces the rows that were put. If the index is already correct,
 * writes only the sync time, and only in scopes whose rows show it. The lease guarantees that no other worker writes
 * rows of this scope. A repair does not change the time of the last sync.
 */
export const storeIndex = async (
  held: HeldPeriod,
  unordered: readonly StorableRow[],
  { sequence, comparedAtMs, totals }: Storing,
): Promise<void> => {
  const { address, scope, period, lease } = held;
  const isSync = comparedAtMs === null;
  const rows = [...unordered].sort(descending);
  const { index, packed } = buildFittingIndex(rows, ROW_LIMITS.indexStrideRows, ROW_LIMITS.indexBytesMax);
  const search = scope.search ? buildSearch(rows) : null;
  const [stored, { summary, entry }] = await Promise.all([findPeriods(address, [period]), findScopeSummary(address)]);
  const before = stored.get(period);
  const told = summary[period];
  const late = lookAgain(before, lease, comparedAtMs);
  const toAnnounce = unannounced(before, comparedAtMs);
  const mark = halfWrittenMark(before, isSync);
  const key = keys.period(address, period);
  const announcesNothing = (): boolean => !rows.some((row) => toAnnounce.has(row.sequence));
  const now = storedTotals(totals);
  const setSummary = (changed: StoredSummary) => ({
    update: keys.summary(address),
    set: summaryAttributes({ ...summary, [period]: changed }),
  });
  const isAnnounced = entry !== null;
  if (
    isAnnounced &&
    before &&
    told &&
    totals !== null &&
    isRight(before, told, { packed, search, isSync }) &&
    announcesNothing()
  ) {
    const isSettled = before.lookAgainMs !== null && late === null;
    const isShownSync = isSync && scope.derived !== undefined;
    const items = besideRightIndex({ key, told, now, isSettled, totals: before.totals, isShownSync });
    if (items) await table.transact([stillHeld(lease), setSummary(items.entry), ...items.period]);
    return;
  }
  const isKnown = before !== undefined || told !== undefined || rows.length > 0;
  if (!isKnown && totals?.verdict !== 'differs') return;

  const seq = sequence ?? nextSequence(lease);
  const lateWrites = lateAfter(unpackStoredStamps(before).late, toAnnounce, seq, rows);
  const stamps = buildFittingStamps(index, rows, lateWrites, ROW_LIMITS.indexStampsBytesMax);
  const syncedAt = isSync ? nowIso() : (told?.syncedAt ?? nowIso());
  const version = Math.max(before?.version ?? 0, told?.version ?? 0) + 1;
  const outdated = await putSearch(held, search);
  const head = { version, seq, syncedAt, writtenAtMs: nowMs(), ...mark.entry, ...searchHead(search), ...now.entry };
  await withAnnouncement(address, entry, ({ attributes, items }) =>
    table.transact([
      stillHeld(lease),
      {
        put: {
          ...{ ...key, version, seq, facets: index.facets, packed, stamps },
          ...mark.attributes,
          ...lookAgainAt(key, late),
          ...now.attributes,
        },
      },
      {
        update: keys.summary(address),
        set: { ...setSummary(summaryEntry(index, head)).set, seq, ...attributes },
        if: 'attribute_not_exists(#seq) OR #seq <= :seq',
        values: { seq },
        otherwise: () => new SequencePassed(),
      },
      { update: keys.changes(address.organizationId, address.connectionId), set: { [address.scope]: seq } },
      ...items,
      ...outdated.slice(0, ROW_LIMITS.transactRemovesMax).map((remove) => ({ remove })),
    ]),
  );
};
