/**
 * Comparing the rows read with the rows stored (architecture.md §4): only new, changed and moved ones are written, and
 * the counts of the outcome come from which run created and updated a row, so that they are right after a crash too.
 */
import { hash } from 'node:crypto';

import type { Statement } from '#shared/values/statements.ts';
import type { Sequenced } from './stamps.rules.ts';

export interface IncomingRow {
  id: string;
  facets: string;
  sortKey: string;
  hash: string;
  /** What `q` looks in; null in scopes that are not searched. */
  searchText: string | null;
  /** The statement it was read from; null in scopes without statements. */
  statement: Statement | null;
  /** What it adds to totals (`totals.rules.ts`); absent in scopes without totals, and of a stored row. */
  amounts?: string;
}

/** What a list row tells about itself. */
export interface StoredRow extends IncomingRow, Sequenced {
  createdRun: string;
  updatedRun: string;
}

export interface Diff<I extends IncomingRow> {
  /** Not in this period: new to the scope, or living elsewhere. */
  unknown: I[];
  /** Here, with other content, or from an open statement that is closed now. */
  changed: I[];
  /** In this period under another facet or day. */
  moved: { from: StoredRow; to: I }[];
}

const isElsewhere = (stored: StoredRow, row: IncomingRow): boolean =>
  stored.facets !== row.facets || stored.sortKey !== row.sortKey;

const hasChanged = (stored: StoredRow, row: IncomingRow): boolean =>
  stored.hash !== row.hash || stored.statement?.isOpen !== row.statement?.isOpen;

/** Is there anything to write? */
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

/** Keys sorted at the top level: an institution that reorders its fields has changed nothing. */
export const contentHash = (row: Record<string, unknown>, raw: Record<string, unknown>): string => {
  const text = JSON.stringify([
    row,
    Object.keys(raw)
      .sort()
      .map((key) => [key, raw[key]]),
  ]);
  return hash('sha256', text, 'base64url').slice(0, 22);
};
