/**
 * Writes a period (architecture.md §4): marks it dirty, writes the differences, and updates the index. A worker may die
 * between any two lines: full items are written before list rows, moves are transactions, and the next worker finds the
 * same rows again. A sync without changes writes no row.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { chunks, forEachConcurrent } from '#shared/platform/concurrency.ts';
import { findPeriods, markDirty, oldestSuspect } from '#shared/rows/index/page-index.store.ts';
import { readPeriod } from '#shared/rows/index/row-partition.store.ts';
import { storeIndex } from '#shared/rows/index/store-index.store.ts';
import { type IncomingRow, isDifferent, type StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import type { NewRow } from '#shared/rows/item/row-items.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { HeldPeriod, ScopeAddress } from '#shared/rows/item/scope-address.ts';
import type { CountedRow, PeriodTotals } from '#shared/rows/item/totals.rules.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { nextSequence } from '#shared/table/late-writers.ts';
import type { Lease } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { mergeHeads } from '#shared/values/known-accounts.ts';
import { type AccountWalk, walkAccounts } from './heal-month.rules.ts';
import { settleCopies } from './late-copies.store.ts';
import { heldRows, type WaitingRows } from './pending-rows.ts';
import { NOTHING_COUNTED, type PeriodCounts } from './period-counts.ts';
import { type MonthPlan, NO_STATEMENTS, planMonth, type ReadStatements, type WriteOptions } from './plan-month.ts';
import { restoreDamagedRows } from './restore-damaged-rows.ts';
import { checkLease, completeListed, findFullRows, moveListed, moveRow, type Writer, writeRows } from './row.store.ts';
import { countLeaving, findTotalsWithout, type LeftMonth, tieOut } from './tie-out.store.ts';
import { countRemoved, removeListed } from './tombstone.store.ts';
import { planWrites, type WrittenPeriod } from './write-plan.ts';

export { readPeriod } from '#shared/rows/index/row-partition.store.ts';
export type { WriteOptions } from './plan-month.ts';

/**
 * Rebuilds the index of a period from its rows, at the end of a scope and in repairs. If no superseded worker can be
 * running any more, late copies of rows are settled first.
 */
export const reindex = (address: ScopeAddress, scope: ScopeDefinition, period: string, lease: Lease): Promise<void> =>
  rebuildIndex({ address, scope, period, lease });

/** @param compared totals of the month after rows left it */
const rebuildIndex = async (held: HeldPeriod, compared?: PeriodTotals | null): Promise<void> => {
  const { address, scope, period, lease } = held;
  const atMs = nowMs();
  const oldest = await oldestSuspect(address, period, atMs);
  const read = await readPeriod(address, scope, period);
  const mended = oldest === null ? null : await settleCopies(held, read, oldest);
  const rows = mended?.isAnything ? await readPeriod(address, scope, period) : read;
  const totals = mended?.isAnything ? null : compared;
  await storeIndex(held, rows, { sequence: null, comparedAtMs: atMs, totals });
  for (const other of mended?.others ?? []) await reindex(address, scope, other, lease);
};

const PERIOD_CHARS = 'YYYY-MM'.length;

/**
 * Writes all rows that the source shows in this period, each row once. Point-in-time rows are stored by the month of
 * their observation instead of `period`, so that a sync does not read the observations of all years.
 */
export const writePeriod = async (
  writer: Writer,
  rows: readonly NewRow[] | WaitingRows,
  options: WriteOptions = {},
): Promise<PeriodCounts> => {
  const waiting = 'open' in rows ? rows : heldRows(rows);
  if (writer.scope.periodic) return writeOne(writer, waiting, options);
  const months = Map.groupBy(waiting.list, (row) => rowSortKeyParts(row.sortKey).day.slice(0, PERIOD_CHARS));
  const counts = { ...NOTHING_COUNTED };
  for (const [month, observed] of months) {
    const of = await writeOne({ ...writer, period: month }, { ...waiting, list: observed }, options);
    counts.found += of.found;
    counts.created += of.created;
    counts.updated += of.updated;
  }
  return counts;
};

/**
 * Marks other periods as dirty, each only once, although several lanes may move rows out of it. Before the mark, reads the
 * totals of a month that the same run has compared. A month that is dirty already may have lost rows to a worker that
 * died, so its totals are unknown.
 */
const otherPeriodMarker = ({ address, lease }: Writer, compared: ReadonlySet<string>) => {
  const marked = new Map<string, Promise<void>>();
  const totals = new Map<string, Uint8Array | null>();
  const markNow = async (period: string): Promise<void> => {
    if (compared.has(period)) {
      const before = (await findPeriods(address, [period])).get(period);
      totals.set(period, before === undefined || before.dirty ? null : before.totals);
    }
    await markDirty(address, period, lease);
  };
  const mark = (period: string): Promise<void> => {
    const known = marked.get(period) ?? markNow(period);
    marked.set(period, known);
    return known;
  };
  return { mark, totals };
};

/**
 * Writes a few rows at a time, in independent lanes, so that full rows are in memory only while they are written.
 * Returns the counts, and the other periods from which rows were moved.
 */
const writeChanges = async (
  state: WrittenPeriod,
  rows: WaitingRows,
  changes: readonly IncomingRow[],
  compared: ReadonlySet<string>,
): Promise<{ left: LeftMonth[]; removedChildRows: number; completed: number }> => {
  const { writer } = state;
  const { lease, period } = writer;
  const others = otherPeriodMarker(writer, compared);
  const left = new Map<string, CountedRow[]>();
  let removedChildRows = 0;
  let completed = 0;
  await forEachConcurrent(chunks(changes, ROW_LIMITS.rowsPerWrite), TABLE_LIMITS.tableParallelMax, async (few) => {
    const listed = await completeListed(writer, rows.open(few), state.rows, state.others);
    completed += listed.completed;
    const opened = listed.rows.filter((row) => isDifferent(state.rows.get(row.id), row));
    const known = await findFullRows(
      writer,
      opened.filter(({ id }) => state.mayBeElsewhere || state.rows.has(id)),
    );
    const restored = await restoreDamagedRows(writer, opened, known);
    const differing = restored.filter((row) => isDifferent(state.rows.get(row.id), row));
    const { writes, moves, listedMoves, settled } = planWrites(state, differing, known);
    const leaving = moves.map(({ before }) => before).filter(({ place }) => place.period !== period);
    for (const [month, gone] of Map.groupBy(leaving, ({ place }) => place.period)) {
      await others.mark(month);
      const counted = others.totals.get(month) ? await countLeaving({ ...writer, period: month }, gone) : [];
      left.set(month, [...(left.get(month) ?? []), ...counted]);
    }
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
  const months = [...left].map(([month, counted]) => ({
    period: month,
    rows: counted,
    totals: others.totals.get(month) ?? null,
  }));
  return { left: months, removedChildRows, completed };
};

const NOTHING_WRITTEN = { left: [] as LeftMonth[], removedChildRows: 0, completed: 0 };

/**
 * Returns the number of rows that the run removed from the period. If an earlier worker of the run held the lease, the
 * rows are counted by their tombstones, because that worker may also have removed rows.
 */
const removedRows = async ({ address, period, runId, lease, firstFence }: Writer, now: number): Promise<number> =>
  firstFence === undefined || firstFence === lease.fence
    ? now
    : ((await countRemoved(address, runId, firstFence)).get(period) ?? 0);

interface WrittenMonth {
  settled: StoredRow[];
  /** Sequence of the write; null if nothing changed. */
  sequence: number | null;
  left: LeftMonth[];
  removedChildRows: number;
  completed: number;
}

const applyPlan = async (
  writer: Writer,
  plan: MonthPlan,
  { mayBeElsewhere = true, compared = new Set() }: WriteOptions,
): Promise<WrittenMonth> => {
  const { stored, known, incoming, diff, replaced } = plan;
  const changes = [...diff.unknown, ...diff.changed, ...diff.moved.map(({ to }) => to)];
  if (changes.length + replaced.length === 0) return { ...NOTHING_WRITTEN, settled: stored, sequence: null };
  const { address, scope, period, lease } = writer;
  const sequence = nextSequence(lease);
  const facets = scope.openFacets ? incoming.map((row) => row.facets) : [];
  await markDirty(address, period, lease, { isReading: true, facets });
  const state: WrittenPeriod = {
    writer,
    createdAt: nowIso(),
    rows: new Map(stored.map((row) => [row.id, row])),
    others: known.others,
    movedFrom: new Map(diff.moved.map(({ from }) => [from.id, from])),
    mayBeElsewhere,
  };
  const written = await writeChanges(state, known.rows, changes, compared);
  await removeListed(writer, replaced);
  for (const { id } of replaced) state.rows.delete(id);
  return { ...written, settled: [...state.rows.values()], sequence };
};

/**
 * Walks the stored rows between the balances that the source stated for them. A source without statements states none,
 * so the trail has its own ends.
 */
const walkStored = (
  { walk, statement }: ScopeDefinition,
  settled: readonly StoredRow[],
  { shown, before }: ReadStatements = NO_STATEMENTS,
  unread: readonly string[],
): AccountWalk[] => {
  if (!walk) return [];
  if (!statement) return walkAccounts(settled, new Map());
  const used = Object.fromEntries(Object.entries(shown).filter(([account]) => !unread.includes(account)));
  return walkAccounts(settled, new Map(Object.entries(mergeHeads(before, used))));
};

const writeOne = async (writer: Writer, reading: WaitingRows, options: WriteOptions): Promise<PeriodCounts> => {
  const { address, scope, runId, lease } = writer;
  const plan = await planMonth(writer, reading, options);
  const { stored, known, incoming, replaced, counts } = plan;
  const { rewritten, corrected } = counts;
  if (rewritten + corrected > 0) await options.beforeWriting?.({ rewritten, corrected });
  const written = await applyPlan(writer, plan, options);
  const { settled, sequence } = written;
  const month = { incoming, shown: known.rows.list, stored, removed: replaced };
  const totals = await tieOut(writer, options.told, month);
  await storeIndex(writer, settled, { sequence, comparedAtMs: null, totals });
  for (const month of written.left)
    await rebuildIndex({ address, scope, period: month.period, lease }, findTotalsWithout(scope, month));
  return {
    ...counts,
    created: settled.filter((row) => row.createdRun === runId).length,
    updated: settled.filter((row) => row.updatedRun === runId && row.createdRun !== runId).length,
    removed: await removedRows(writer, replaced.length),
    removedChildRows: written.removedChildRows,
    completed: written.completed,
    walks: walkStored(scope, settled, options.statements, counts.unread),
    isOpen: settled.some(({ statement }) => statement?.isOpen),
    totals: totals ?? null,
  };
};
