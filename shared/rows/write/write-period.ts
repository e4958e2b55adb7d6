/**
 * Writing a period (architecture.md §4): mark it dirty, write what differs, make the index say what the rows are. A
 * worker may die between any two lines: full items are written before list rows, moves are transactions, and whoever
 * comes next finds the same rows again. A re-sync that finds nothing new writes no row.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { chunks, forEachConcurrent } from '#shared/platform/concurrency.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { markDirty, oldestSuspect } from '#shared/rows/index/page-index.store.ts';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { storeIndex } from '#shared/rows/index/store-index.store.ts';
import { diffRows, type IncomingRow, isDifferent, type StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import type { NewRow } from '#shared/rows/item/row-items.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { nextSequence } from '#shared/table/late-writers.ts';
import type { Lease } from '#shared/table/lease.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { admissible, onlyAdding, replacedRows } from '#shared/values/statements.ts';
import type { ToldTotals } from '#shared/values/told-totals.ts';
import { settleCopies } from './late-copies.store.ts';
import { matchStoredRows, type NotesToKeep } from './match-stored-rows.ts';
import { heldRows, type WaitingRows } from './pending-rows.ts';
import { checkLease, completeListed, findFullRows, moveListed, moveRow, type Writer, writeRows } from './row.store.ts';
import { rowsNotShown } from './rows-not-shown.rules.ts';
import { tieOut } from './tie-out.store.ts';
import { countRemoved, removeListed } from './tombstone.store.ts';
import { planWrites, type WrittenPeriod } from './write-plan.ts';

export { readPeriod } from '#shared/rows/index/row-partition.store.ts';

export interface PeriodCounts {
  found: number;
  created: number;
  updated: number;
  /**
   * Rows of the period that the run removed, by their tombstones: their closed statement does not show them, or they were
   * stored a second time. Absent: none.
   */
  removed?: number;
  /** Payments that their batch does not show: removed. Absent: none. */
  removedChildRows?: number;
  /** Rows of an open statement that were left out, for the closed one is stored: not found. Absent: none. */
  ignored?: number;
  /** Rows of a closed statement in doubt that were left out, for it does not show all that is stored. Absent: none. */
  doubtful?: number;
  /** Rows that came under another number of the source than the stored one. Absent: none. */
  renumbered?: number;
  /** Stored rows that this reading does not show, though it should: kept. Absent: none. */
  kept?: number;
  /** Rows of which a stored value stayed, where this reading has none. Absent: none. */
  completed?: number;
  /** Rows that are something else now under their number. Absent: none. */
  rewritten?: number;
  /** What the source told in total beside the rows as stored. Absent: it told nothing. */
  totals?: PeriodTotals;
  /** Rows of an open statement are among those that are stored. Absent: none. */
  isOpen?: true;
  /** To be kept once these counts are told (`keepNumberNotes`). */
  notes?: NotesToKeep;
}

export interface WriteOptions {
  /** False: nothing of the scope was ever stored, which spares the look-up of new rows in other periods. */
  mayBeElsewhere?: boolean;
  /**
   * Accounts whose closed statement of this period was read whole: their rows that it does not show are deleted. A
   * statement without rows must be named here, too.
   */
  closed?: readonly string[];
  /** Accounts whose closed statement of this period is in doubt: its rows change nothing that is stored. */
  doubtful?: readonly string[];
  /** What the source told in total of this period. */
  told?: ToldTotals;
  /** A row stays the one it is when the source numbers it anew, in scopes that say by what rows are known. */
  recognizes?: boolean;
  /** Hears how many stored rows become others, while a worker that dies leaves them to be found by the next one. */
  beforeWriting?: (counts: Pick<PeriodCounts, 'rewritten'>) => Promise<void>;
}

/**
 * Makes the index of a period say what its rows are: for whoever ends a scope, the sweeper included. When no worker that
 * was taken over can be alive any more, copies that came late are settled first.
 */
export const reindex = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
  lease: Lease,
): Promise<void> => {
  const held = { address, scope, period, lease };
  const atMs = nowMs();
  const oldest = await oldestSuspect(address, period, atMs);
  const read = await readPeriod(address, scope, period);
  const mended = oldest === null ? null : await settleCopies(held, read, oldest);
  const rows = mended?.isAnything ? await readPeriod(address, scope, period) : read;
  const totals = mended?.isAnything ? null : undefined;
  await storeIndex(held, rows, { sequence: null, comparedAtMs: atMs, totals });
  for (const other of mended?.others ?? []) await reindex(address, scope, other, lease);
};

const PERIOD_CHARS = 'YYYY-MM'.length;

/**
 * `rows` are all rows that the source shows in this period, each once. Point-in-time rows are kept by the month they
 * were observed in, whatever `period` says: a sync must not read the observations of all years.
 */
export const writePeriod = async (
  writer: Writer,
  rows: readonly NewRow[] | WaitingRows,
  options: WriteOptions = {},
): Promise<PeriodCounts> => {
  const waiting = 'open' in rows ? rows : heldRows(rows);
  if (writer.scope.periodic) return writeOne(writer, waiting, options);
  const months = Map.groupBy(waiting.list, (row) => rowSortKeyParts(row.sortKey).day.slice(0, PERIOD_CHARS));
  const counts: PeriodCounts = { found: 0, created: 0, updated: 0 };
  for (const [month, observed] of months) {
    const of = await writeOne({ ...writer, period: month }, { ...waiting, list: observed }, options);
    counts.found += of.found;
    counts.created += of.created;
    counts.updated += of.updated;
  }
  return counts;
};

/** Marks each of the other periods once, however many lanes are about to take a row out of it. */
const otherPeriodMarker = ({ address, lease }: Writer) => {
  const marked = new Map<string, Promise<void>>();
  const mark = (period: string): Promise<void> => {
    const known = marked.get(period) ?? markDirty(address, period, lease);
    marked.set(period, known);
    return known;
  };
  return { mark, periods: () => [...marked.keys()] };
};

/**
 * A few rows at a time, in lanes that do not wait for each other: what a row weighs is held while it is written, and
 * no longer. Answers the other periods that rows came from.
 */
const writeChanges = async (
  state: WrittenPeriod,
  rows: WaitingRows,
  changes: readonly IncomingRow[],
): Promise<{ left: string[]; removedChildRows: number; completed: number }> => {
  const { writer } = state;
  const { lease, period } = writer;
  const others = otherPeriodMarker(writer);
  let removedChildRows = 0;
  let completed = 0;
  await forEachConcurrent(chunks(changes, LIMITS.rowsPerWrite), LIMITS.tableParallelMax, async (few) => {
    const listed = await completeListed(writer, rows.open(few), state.rows, state.others);
    completed += listed.completed;
    const opened = listed.rows.filter((row) => isDifferent(state.rows.get(row.id), row));
    const known = await findFullRows(
      writer,
      opened.filter(({ id }) => state.mayBeElsewhere || state.rows.has(id)),
    );
    const { writes, moves, listedMoves, settled } = planWrites(state, opened, known);
    for (const { before } of moves) if (before.place.period !== period) await others.mark(before.place.period);
    const removed = await writeRows(writer, writes);
    removedChildRows += removed;
    for (const { before, row } of moves) {
      checkLease(lease);
      const gone = await moveRow(writer, before, row);
      removedChildRows += gone;
    }
    for (const { from, row } of listedMoves) {
      checkLease(lease);
      await moveListed(writer, from, row);
    }
    for (const row of settled) state.rows.set(row.id, row);
  });
  return { left: others.periods(), removedChildRows, completed };
};

const NOTHING_WRITTEN = { left: [] as string[], removedChildRows: 0, completed: 0 };

const withoutZeros = <K extends string>(counts: Record<K, number>): Partial<Record<K, number>> =>
  Object.fromEntries(Object.entries<number>(counts).filter(([, count]) => count > 0)) as Partial<Record<K, number>>;

/** A worker of before may have removed some: those are known by their tombstones alone. */
const removedRows = async ({ address, period, runId, lease, firstFence }: Writer, now: number): Promise<number> =>
  firstFence === undefined || firstFence === lease.fence
    ? now
    : ((await countRemoved(address, runId, firstFence)).get(period) ?? 0);

const openRows = (rows: readonly StoredRow[]): Pick<PeriodCounts, 'isOpen'> =>
  rows.some(({ statement }) => statement?.isOpen) ? { isOpen: true } : {};

const writeOne = async (writer: Writer, asTheyCame: WaitingRows, options: WriteOptions): Promise<PeriodCounts> => {
  const { address, scope, period, runId, lease } = writer;
  const stored = await readPeriod(address, scope, period);
  const known = await matchStoredRows(writer, options.recognizes ? scope.numbered : undefined, stored, asTheyCame);
  const { rows, renumbered, rewritten, notes } = known;
  const admitted = admissible(stored, rows.list, { isOver: period < santiagoPeriod(nowMs()) });
  const { rows: incoming, asStored, leftOut } = onlyAdding(stored, admitted, options.doubtful ?? []);
  const diff = diffRows(stored, incoming);
  const replaced = [...replacedRows(stored, incoming, options.closed ?? []), ...known.twins];
  if (rewritten > 0) await options.beforeWriting?.({ rewritten });
  const showsAll = scope.showsAll === true;
  const kept = scope.periodic ? rowsNotShown(stored, rows.list, { removed: replaced, showsAll }) : 0;
  const changes = [...diff.unknown, ...diff.changed, ...diff.moved.map(({ to }) => to)];
  let written = NOTHING_WRITTEN;
  let settled: StoredRow[] = stored;
  let sequence: number | null = null;

  if (changes.length + replaced.length > 0) {
    sequence = nextSequence(lease);
    await markDirty(address, period, lease, scope.openFacets ? incoming.map(({ facets }) => facets) : []);
    const state: WrittenPeriod = {
      writer,
      createdAt: nowIso(),
      rows: new Map(stored.map((row) => [row.id, row])),
      others: known.others,
      movedFrom: new Map(diff.moved.map(({ from }) => [from.id, from])),
      mayBeElsewhere: options.mayBeElsewhere ?? true,
    };
    written = await writeChanges(state, rows, changes);
    await removeListed(writer, replaced);
    for (const { id } of replaced) state.rows.delete(id);
    settled = [...state.rows.values()];
  }

  const month = { incoming, shown: rows.list, stored, removed: replaced };
  const totals = await tieOut(writer, options.told, month);
  await storeIndex(writer, settled, { sequence, comparedAtMs: null, totals });
  for (const other of written.left) await reindex(address, scope, other, lease);
  return {
    found: incoming.length + asStored,
    created: settled.filter((row) => row.createdRun === runId).length,
    updated: settled.filter((row) => row.updatedRun === runId && row.createdRun !== runId).length,
    ...withoutZeros({
      removed: await removedRows(writer, replaced.length),
      removedChildRows: written.removedChildRows,
      ignored: rows.list.length - admitted.length,
      doubtful: leftOut,
      kept,
      completed: written.completed,
      renumbered,
      rewritten,
    }),
    ...openRows(settled),
    ...(totals ? { totals } : {}),
    ...(notes ? { notes } : {}),
  };
};
