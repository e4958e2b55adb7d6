/** What is to be done with rows that differ from what is stored: written here, or moved here from where they are. Pure. */

import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { RowWrite } from './row.store.ts';
import type { StoredRow } from './row-diff.rules.ts';
import { carryOver, type NewRow, type RowHistory, type StoredFullRow } from './row-items.ts';

/** What a sync knows of a period while it writes it. */
export interface PeriodState {
  scope: ScopeDefinition;
  runId: string;
  period: string;
  /** Of rows made now. */
  createdAt: string;
  /** The period's rows as stored, and as they are after each write, by id. */
  rows: Map<string, StoredRow>;
  /** Rows that are another thing than the stored one of their id. */
  others: ReadonlySet<string>;
  /** Rows that lie in this period under another facet or day. */
  movedFrom: ReadonlyMap<string, StoredRow>;
}

export interface Plan {
  writes: RowWrite[];
  moves: { before: StoredFullRow; row: NewRow }[];
  listedMoves: { from: StoredRow; row: NewRow }[];
  /** The rows as they will be listed. */
  settled: StoredRow[];
}

const listedAs = (row: NewRow, { createdRun, updatedRun }: Omit<RowHistory, 'createdAt'>): StoredRow => ({
  id: row.id,
  facets: row.facets,
  sortKey: row.sortKey,
  hash: row.hash,
  searchText: row.searchText,
  statement: row.statement,
  createdRun,
  updatedRun,
});

/** `known`: the documents of these rows that are stored, by id. */
export const planWrites = (
  state: PeriodState,
  changes: readonly NewRow[],
  known: ReadonlyMap<string, StoredFullRow>,
): Plan => {
  const { scope, runId, period } = state;
  const plan: Plan = { writes: [], moves: [], listedMoves: [], settled: [] };
  const write = (row: NewRow, history: RowHistory, childrenBefore = 0): void => {
    plan.writes.push({ row, history, childrenBefore });
    plan.settled.push(listedAs(row, history));
  };
  const move = (before: StoredFullRow, row: NewRow): void => {
    plan.moves.push({ before, row });
    plan.settled.push(
      listedAs(carryOver(scope, row, before.row), { createdRun: before.createdRun, updatedRun: runId }),
    );
  };
  for (const row of changes) {
    const before = known.get(row.id);
    const from = state.movedFrom.get(row.id);
    if (from !== undefined) {
      if (before !== undefined) move(before, row);
      else if (scope.fullRow === null) {
        plan.listedMoves.push({ from, row });
        plan.settled.push(listedAs(row, { createdRun: from.createdRun, updatedRun: runId }));
      } else throw new Error(`row ${row.id} of ${scope.name} is listed at ${from.facets} without a document`);
    } else if (before === undefined) {
      const here = state.rows.get(row.id);
      // A provisional row that its closed statement confirms as it is has not changed.
      const updatedRun = here?.hash === row.hash ? here.updatedRun : runId;
      write(row, { createdAt: state.createdAt, createdRun: here?.createdRun ?? runId, updatedRun });
    } else if (
      before.place.period === period &&
      before.place.facets === row.facets &&
      before.place.sortKey === row.sortKey
    ) {
      // Here already, or its worker died before the list row: then it is as it was, not changed again.
      const updatedRun = before.hash === row.hash ? before.updatedRun : runId;
      write(carryOver(scope, row, before.row), { ...before, updatedRun }, before.childCount);
    } else move(before, row);
  }
  return plan;
};
