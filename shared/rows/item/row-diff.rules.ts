/**
 * Compares the rows of a reading with the stored rows (architecture.md §4). Only new, changed and moved rows are
 * written. The counts of a run's outcome are derived from the ids of the runs that created and updated each row, so
 * they are also correct after a crash.
 */
import { hash } from 'node:crypto';

import type { Statement } from '#shared/values/statements.ts';
import type { WalkStep } from './month-walk.rules.ts';
import type { RowFacts } from './row-facts.rules.ts';
import type { Sequenced } from './stamps.rules.ts';

export interface IncomingRow {
  id: string;
  facets: string;
  sortKey: string;
  hash: string;
  /** The text that `q` searches; null in scopes without search. */
  searchText: string | null;
  /** The statement that contains the row; null in scopes without statements. */
  statement: Statement | null;
  /** The row's group and amounts, packed (`totals.rules.ts`). Absent in scopes without totals, and for a stored row. */
  amounts?: string;
  /** The row's part of the trail of balances. Absent in scopes without such a trail. */
  step?: WalkStep;
}

/** The attributes of a stored list row. */
export interface StoredRow extends IncomingRow, Sequenced {
  createdRun: string;
  updatedRun: string;
  /** Values of the row's facts. Absent in scopes without facts, and if the row is not compared. */
  facts?: RowFacts;
}

export interface Diff<I extends IncomingRow> {
  /** Rows that are not stored in this period: new to the scope, or stored in another period. */
  unknown: I[];
  /** Rows whose stored content differs, or whose stored statement was open and is now closed. */
  changed: I[];
  /** Rows of this period that now have another facet or day. */
  moved: { from: StoredRow; to: I }[];
}

const isElsewhere = (stored: StoredRow, row: IncomingRow): boolean =>
  stored.facets !== row.facets || stored.sortKey !== row.sortKey;

const hasChanged = (stored: StoredRow, row: IncomingRow): boolean =>
  stored.hash !== row.hash || stored.statement?.isOpen !== row.statement?.isOpen;

/** True if the row must be written. */
export const isDifferent = (stored: StoredRow | undefined, row: IncomingRow): boolean =>
  stored === undefined || isElsewhere(stored, row) || hasChanged(stored, row);

export const diffRows = <I extends IncomingRow>(stored: readonly StoredRow[], incoming: Iterable<I>): Diff<I> => {
  const byId = new Map(stored.map((row) => [row.id, row]));
  const diff: Diff<I> = { unknown: [], changed: [], moved: [] };
  for (const row of incoming) {
    const here = byId.get(row.id);
    if (here === undefined) diff.unknown.push(row);
    else if (isElsewhere(here, row)) diff.moved.push({ from: here, to: row });
    else if (hasChanged(here, row)) diff.changed.push(row);
  }
  return diff;
};

/**
 * Returns a hash of the row's content. Top-level keys are sorted, so that a new order of fields in the answer does not
 * count as a change.
 */
export const contentHash = (row: Record<string, unknown>, raw: Record<string, unknown>): string => {
  const text = JSON.stringify([
    row,
    Object.keys(raw)
      .sort()
      .map((key) => [key, raw[key]]),
  ]);
  return hash('sha256', text, 'base64url').slice(0, 22);
};
