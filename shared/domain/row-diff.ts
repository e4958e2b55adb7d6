/**
 * Comparing the rows read with the rows stored (architecture.md §4): only new, changed and moved ones are written, and
 * the counts of the outcome come from which run created and updated a row, so that they are right after a crash too.
 */
import { createHash } from 'node:crypto';

/** What a list row tells about itself. */
export interface StoredRow {
  id: string;
  facets: string;
  sortKey: string;
  hash: string;
  createdRun: string;
  updatedRun: string;
}

export interface IncomingRow {
  id: string;
  facets: string;
  sortKey: string;
  hash: string;
}

export interface Diff<I extends IncomingRow> {
  /** Not in this period: new to the scope, or living elsewhere. */
  unknown: I[];
  /** Here, with other content. */
  changed: I[];
  /** In this period under another facet or day. */
  moved: { from: StoredRow; to: I }[];
}

export const diffRows = <I extends IncomingRow>(stored: readonly StoredRow[], incoming: Iterable<I>): Diff<I> => {
  const byId = new Map(stored.map((row) => [row.id, row]));
  const diff: Diff<I> = { unknown: [], changed: [], moved: [] };
  for (const row of incoming) {
    const here = byId.get(row.id);
    if (here === undefined) diff.unknown.push(row);
    else if (here.facets !== row.facets || here.sortKey !== row.sortKey) diff.moved.push({ from: here, to: row });
    else if (here.hash !== row.hash) diff.changed.push(row);
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
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
};

/** `received.registro`; a scope without facets has one partition. */
export const facetsOf = (facets: Readonly<Record<string, readonly string[]>>, row: Record<string, unknown>): string =>
  Object.keys(facets)
    .map((field) => String(row[field]))
    .join('.') || 'all';

/** Every combination of facet values, optionally only those that a filter wants. */
export const facetCombinations = (
  facets: Readonly<Record<string, readonly string[]>>,
  wanted: Readonly<Record<string, unknown>> = {},
): string[] =>
  Object.entries(facets)
    .reduce<string[]>(
      (combinations, [field, values]) =>
        combinations.flatMap((start) =>
          values
            .filter((value) => wanted[field] === undefined || wanted[field] === value)
            .map((value) => (start === '' ? value : `${start}.${value}`)),
        ),
      [''],
    )
    .map((combination) => combination || 'all');
