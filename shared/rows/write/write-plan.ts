/**
 * Plans what to do with rows that differ from the stored rows: write them in this period, or move them to this period
 * from their present place. Pure.
 */

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

/** State of a period while a sync writes it. */
export interface WrittenPeriod {
  writer: Writer;
  /** Creation time of new rows. */
  createdAt: string;
  /** The period's rows by id: as stored before the sync, and updated after each write. */
  rows: Map<string, StoredRow>;
  /** Ids of rows whose number now belongs to other data. */
  others: ReadonlySet<string>;
  /** Stored rows of this period that now have another facet or day. */
  movedFrom: ReadonlyMap<string, StoredRow>;
  /** True if rows that are new in this period may be stored in another period. */
  mayBeElsewhere: boolean;
}

export interface WritePlan {
  writes: RowWrite[];
  moves: { before: StoredFullRow; row: NewRow }[];
  listedMoves: { from: StoredRow; row: NewRow }[];
  /** The rows as they will be stored in the list. */
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
  ...(row.step ? { step: row.step } : {}),
  createdRun,
  updatedRun,
  sequence,
  createdSequence,
});

const isAt = (place: RowLocation, period: string, { facets, sortKey }: NewRow): boolean =>
  place.period === period && place.facets === facets && place.sortKey === sortKey;

/**
 * Returns the writes and moves for rows that differ from the stored rows.
 * @param known stored documents of these rows, by id
 */
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
  // Returns the run that last changed the row's content. If the content is equal, this is the earlier run: a closed
  // statement only confirmed the row, or the previous worker died before it wrote the list row.
  const lastChange = (row: NewRow, before: { hash: string; updatedRun: string } | undefined): string =>
    before?.hash === row.hash ? before.updatedRun : runId;
  for (const row of changes) {
    const before = known.get(row.id);
    const from = state.movedFrom.get(row.id);
    const here = state.rows.get(row.id);
    // A row without a list row is created now, even if its document is older.
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
