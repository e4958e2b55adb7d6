/**
 * Writing a period (architecture.md §4): mark it dirty, write what differs, make the index say what the rows are. A
 * worker may die between any two lines: full items are written before list rows, moves are transactions, and whoever
 * comes next finds the same rows again. A re-sync that finds nothing new writes no row.
 */
import { type Diff, diffRows, type StoredRow } from '#shared/domain/row-diff.ts';
import { rowSortKeyParts } from '#shared/domain/row-keys.ts';
import { admissible, replacedRows } from '#shared/domain/statements.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { inParallel } from './batches.ts';
import type { Lease } from './leases.ts';
import { markDirty, type ScopeAddress, store } from './page-indexes.ts';
import { carryOver, type NewRow, type RowHistory, type StoredFullRow } from './row-items.ts';
import { readPeriod } from './row-partitions.ts';
import {
  findFullRows,
  mayGoOn,
  moveListed,
  moveRow,
  type RowWrite,
  removeListed,
  type Writer,
  writeRows,
} from './row-writes.ts';

export { readPeriod } from './row-partitions.ts';

export interface PeriodCounts {
  found: number;
  created: number;
  updated: number;
}

export interface WriteOptions {
  /**
   * Accounts whose closed statement of this period was read and whose arithmetic holds: their provisional rows that
   * it does not show are deleted. A statement without rows must be named here, too.
   */
  closed?: readonly string[];
}

/** Makes the index of a period say what its rows are: for whoever ends a scope, the sweeper included. */
export const reindex = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
  lease: Lease,
): Promise<void> => store(address, scope, period, await readPeriod(address, scope, period), lease, false);

const PERIOD_CHARS = 'YYYY-MM'.length;

/**
 * `rows` are all rows that the source shows in this period, each once. `mayBeElsewhere` false spares the look-up of
 * new rows in other periods: nothing of the scope was ever stored. Point-in-time rows are kept by the month they were
 * observed in, whatever `period` says: a sync must not read the observations of all years.
 */
export const writePeriod = async (
  writer: Writer,
  period: string,
  rows: readonly NewRow[],
  mayBeElsewhere: boolean,
  options: WriteOptions = {},
): Promise<PeriodCounts> => {
  if (writer.scope.periodic) return writeOne(writer, period, rows, mayBeElsewhere, options);
  const months = Map.groupBy(rows, (row) => rowSortKeyParts(row.sortKey).day.slice(0, PERIOD_CHARS));
  const counts: PeriodCounts = { found: 0, created: 0, updated: 0 };
  for (const [month, observed] of months) {
    const of = await writeOne(writer, month, observed, mayBeElsewhere, options);
    counts.found += of.found;
    counts.created += of.created;
    counts.updated += of.updated;
  }
  return counts;
};

/** What is to be done to a period, and how it will be afterwards. */
interface Plan {
  writes: RowWrite[];
  moves: { before: StoredFullRow; row: NewRow }[];
  listedMoves: { from: StoredRow; row: NewRow }[];
  final: Map<string, StoredRow>;
}

const planWrites = (
  writer: Writer,
  period: string,
  stored: readonly StoredRow[],
  diff: Diff<NewRow>,
  known: ReadonlyMap<string, StoredFullRow>,
): Plan => {
  const { scope, runId, address } = writer;
  const fresh: RowHistory = { createdAt: nowIso(), createdRun: runId, updatedRun: runId };
  const plan: Plan = {
    writes: [],
    moves: [],
    listedMoves: [],
    final: new Map(stored.map((row) => [row.id, row])),
  };
  const settle = (row: NewRow, { createdRun, updatedRun }: Omit<RowHistory, 'createdAt'>): void => {
    plan.final.set(row.id, { ...row, createdRun, updatedRun });
  };
  const write = (row: NewRow, history: RowHistory, partsBefore = 0): void => {
    plan.writes.push({ row, history, partsBefore });
    settle(row, history);
  };
  for (const row of [...diff.unknown, ...diff.changed]) {
    const before = known.get(row.id);
    if (before === undefined) {
      const here = plan.final.get(row.id);
      // A provisional row that its closed statement confirms as it is has not changed.
      const updatedRun = here?.hash === row.hash ? here.updatedRun : runId;
      write(row, here ? { ...fresh, createdRun: here.createdRun, updatedRun } : fresh);
    } else if (
      before.place.period === period &&
      before.place.facets === row.facets &&
      before.place.sortKey === row.sortKey
    ) {
      // Here already, or its worker died before the list row: then it is as it was, not changed again.
      const updatedRun = before.hash === row.hash ? before.updatedRun : runId;
      write(carryOver(scope, row, before.row), { ...before, updatedRun }, before.partsCount);
    } else plan.moves.push({ before, row });
  }
  for (const { from, to } of diff.moved) {
    const before = known.get(to.id);
    if (before !== undefined) plan.moves.push({ before, row: to });
    else if (scope.fullRow === null) plan.listedMoves.push({ from, row: to });
    else throw new Error(`row ${to.id} of ${address.scope} is listed at ${from.facets} without a document`);
  }
  for (const { before, row } of plan.moves)
    settle(carryOver(scope, row, before.row), { createdRun: before.createdRun, updatedRun: runId });
  for (const { from, row } of plan.listedMoves) settle(row, { createdRun: from.createdRun, updatedRun: runId });
  return plan;
};

const writeOne = async (
  writer: Writer,
  period: string,
  rows: readonly NewRow[],
  mayBeElsewhere: boolean,
  options: WriteOptions,
): Promise<PeriodCounts> => {
  const { address, scope, runId, lease } = writer;
  const stored = await readPeriod(address, scope, period);
  const incoming = admissible(stored, rows);
  const diff = diffRows(stored, incoming);
  const replaced = replacedRows(stored, incoming, options.closed ?? []);
  const left = new Set<string>();
  let settled: StoredRow[] = stored;

  if (diff.unknown.length + diff.changed.length + diff.moved.length + replaced.length > 0) {
    await markDirty(address, period, lease, scope.openFacets ? incoming.map(({ facets }) => facets) : []);
    const known = await findFullRows(writer, [
      ...(mayBeElsewhere ? diff.unknown : []),
      ...diff.changed,
      ...diff.moved.map(({ to }) => to),
    ]);
    const { writes, moves, listedMoves, final } = planWrites(writer, period, stored, diff, known);
    for (const { before } of moves) if (before.place.period !== period) left.add(before.place.period);
    for (const other of left) await markDirty(address, other, lease);
    await writeRows(writer, period, writes);
    await inParallel(moves, LIMITS.tableParallelMax, async ({ before, row }) => {
      mayGoOn(lease)();
      await moveRow(writer, period, before, row);
    });
    await inParallel(listedMoves, LIMITS.tableParallelMax, async ({ from, row }) => {
      mayGoOn(lease)();
      await moveListed(writer, period, from, row);
    });
    await removeListed(writer, period, replaced);
    for (const { id } of replaced) final.delete(id);
    settled = [...final.values()];
  }

  await store(address, scope, period, settled, lease, true);
  for (const other of left) await reindex(address, scope, other, lease);
  return {
    found: rows.length,
    created: settled.filter((row) => row.createdRun === runId).length,
    updated: settled.filter((row) => row.updatedRun === runId && row.createdRun !== runId).length,
  };
};
