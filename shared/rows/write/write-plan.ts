/** What is to be done with rows that differ from what is stored: written here, or moved here from where they are. Pure. */

import type { StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import {
  carryOver,
  type NewRow,
  type RowHistory,
  type RowLocation,
  type StoredFullRow,
} from '#shared/rows/item/row-items.ts';
import { toSequence } from '#shared/table/late-writers.ts';
import type { RowWrite, Writer } from './row.store.ts';

/** What a sync knows of a period while it writes it. */
export interface WrittenPeriod {
  writer: Writer;
  /** Of rows made now. */
  createdAt: string;
  /** The period's rows as stored, and as they are after each write, by id. */
  rows: Map<string, StoredRow>;
  /** Rows that are another thing than the stored one of their id. */
  others: ReadonlySet<string>;
  /** Rows that lie in this period under another facet or day. */
  movedFrom: ReadonlyMap<string, StoredRow>;
  /** May rows that are new here be stored in another period? */
  mayBeElsewhere: boolean;
}

export interface WritePlan {
  writes: RowWrite[];
  moves: { before: StoredFullRow; row: NewRow }[];
  listedMoves: { from: StoredRow; row: NewRow }[];
  /** The rows as they will be listed. */
  settled: StoredRow[];
}

type ListedHistory = Omit<RowHistory, 'createdAt'> & { sequence: number };

const listedAs = (row: NewRow, { createdRun, updatedRun, sequence, createdSequence }: ListedHistory): StoredRow => ({
  id: row.id,
  facets: row.facets,
  sortKey: row.sortKey,
  hash: row.hash,
  searchText: row.searchText,
  statement: row.statement,
  createdRun,
  updatedRun,
  sequence,
  createdSequence,
});

const isAt = (place: RowLocation, period: string, { facets, sortKey }: NewRow): boolean =>
  place.period === period && place.facets === facets && place.sortKey === sortKey;

/** `known`: the documents of these rows that are stored, by id. */
export const planWrites = (
  state: WrittenPeriod,
  changes: readonly NewRow[],
  known: ReadonlyMap<string, StoredFullRow>,
): WritePlan => {
  const { scope, runId, period, lease } = state.writer;
  const sequence = toSequence(lease);
  const plan: WritePlan = { writes: [], moves: [], listedMoves: [], settled: [] };
  const write = (row: NewRow, history: RowHistory, childrenBefore = 0): void => {
    plan.writes.push({ row, history, childrenBefore });
    plan.settled.push(listedAs(row, { ...history, sequence }));
  };
  const move = (before: StoredFullRow, row: NewRow): void => {
    plan.moves.push({ before, row });
    const { createdRun, createdSequence } = before;
    const history = { createdRun, updatedRun: runId, sequence, createdSequence };
    plan.settled.push(listedAs(carryOver(scope, row, before.row), history));
  };
  const moveListed = (from: StoredRow, row: NewRow): void => {
    if (scope.fullRow !== null)
      throw new Error(`row ${row.id} of ${scope.name} is listed at ${from.facets} without a document`);
    plan.listedMoves.push({ from, row });
    const { createdRun, createdSequence } = from;
    plan.settled.push(listedAs(row, { createdRun, updatedRun: runId, sequence, createdSequence }));
  };
  // What has the same content was not changed: a closed statement confirms it, or its worker died before the list row.
  const lastChange = (row: NewRow, before: { hash: string; updatedRun: string } | undefined): string =>
    before?.hash === row.hash ? before.updatedRun : runId;
  for (const row of changes) {
    const before = known.get(row.id);
    const from = state.movedFrom.get(row.id);
    const here = state.rows.get(row.id);
    // What was never listed is made now, whatever its document says.
    const createdSequence = here?.createdSequence ?? sequence;
    if (before !== undefined && (from !== undefined || !isAt(before.place, period, row))) move(before, row);
    else if (before !== undefined) {
      const history = { ...before, updatedRun: lastChange(row, before), createdSequence };
      write(carryOver(scope, row, before.row), history, before.childCount);
    } else if (from !== undefined) moveListed(from, row);
    else {
      const createdRun = here?.createdRun ?? runId;
      write(row, { createdAt: state.createdAt, createdRun, updatedRun: lastChange(row, here), createdSequence });
    }
  }
  return plan;
};
