/**
 * Matches rows that are identified by the source's number (decisions.md §5: a row is never in two places). If a source
 * numbers the same rows differently, each row keeps its identity. If a number now belongs to other data, the row is
 * rewritten and counted. Pure.
 */

import { v5 as uuidv5 } from 'uuid';
import { AppError } from '#shared/values/app-error.ts';

export interface NumberedRow {
  id: string;
  /** Text that stays the same if only the row's number changes. */
  content: string;
  /** If two rows have no mark in common, they are different rows. */
  marks: readonly string[];
  /** Run that wrote this content; absent for a row of the reading. */
  writtenRun?: string;
}

export interface Recognized {
  /** Stored id by the id of the reading. If the reading's id belongs to another stored row, the value is a new id. */
  ids: ReadonlyMap<string, string>;
  /** Number of rows whose number at the source differs from the stored number. */
  renumbered: number;
  /**
   * Rows of the reading that have the number of a stored row with other data. The source no longer shows that stored
   * row.
   */
  rewritten: readonly NumberedRow[];
  /**
   * Stored rows that the source no longer shows while it shows the same content under another number. Two equal rows
   * written by one run are two real rows and stay. Empty if other stored rows are also missing, because such an answer
   * is old or cut off.
   */
  twins: readonly string[];
}

const isAnother = (a: NumberedRow, b: NumberedRow): boolean => a.marks.every((mark, at) => mark !== b.marks[at]);

/**
 * True if the source shows every stored number and also additional numbers, as after a late booking. A late booking
 * changes the balances of the rows after it, and the late row may look like the row after it. Therefore these rows are
 * matched by number first, and by content second.
 */
const didRowsComeBetween = (stored: readonly NumberedRow[], shown: readonly NumberedRow[]): boolean => {
  const numbers = new Set(shown.map(({ id }) => id));
  return numbers.size > stored.length && stored.every(({ id }) => numbers.has(id));
};

export const recognize = (stored: readonly NumberedRow[], shown: readonly NumberedRow[]): Recognized => {
  /** Stored rows that are not matched yet. */
  const open = new Map(stored.map((row) => [row.id, row]));
  /** Runs that wrote the matched stored rows, by content. */
  const shownRuns = new Map<string, Set<string | undefined>>();
  const take = ({ id, content, writtenRun }: NumberedRow): boolean => {
    const runs = shownRuns.get(content) ?? new Set();
    shownRuns.set(content, runs.add(writtenRun));
    return open.delete(id);
  };
  const takesOwn = (accepts: (here: NumberedRow, row: NumberedRow) => boolean) => (row: NumberedRow) => {
    const here = open.get(row.id);
    return here !== undefined && accepts(here, row) && take(here);
  };
  const ids = new Map<string, string>();
  const corrected = (rows: readonly NumberedRow[]) =>
    rows.filter((row) => !takesOwn((here) => !isAnother(here, row))(row));
  const underOthers = (rows: readonly NumberedRow[]) => {
    const byContent = Map.groupBy(open.values(), ({ content }) => content);
    return rows.filter((row) => {
      const known = byContent.get(row.content)?.shift();
      if (known === undefined) return true;
      take(known);
      ids.set(row.id, known.id);
      return false;
    });
  };
  const changed = shown.filter((row) => !takesOwn((here) => here.content === row.content)(row));
  const fresh = didRowsComeBetween(stored, shown) ? underOthers(corrected(changed)) : corrected(underOthers(changed));
  const renumbered = ids.size;

  const given = new Set(ids.values());
  const contents = new Set(shown.map(({ content }) => content));
  const rewritten: NumberedRow[] = [];
  for (const row of fresh) {
    if (given.has(row.id)) ids.set(row.id, uuidv5(row.content, row.id));
    const here = open.get(row.id);
    if (here !== undefined && open.delete(row.id) && !contents.has(here.content)) rewritten.push(row);
  }
  const isTwin = ({ content, writtenRun }: NumberedRow): boolean =>
    contents.has(content) && !shownRuns.get(content)?.has(writtenRun);
  const missing = [...open.values()];
  const twins = missing.every(isTwin) ? missing.map(({ id }) => id) : [];
  return { ids, renumbered, rewritten, twins };
};

/**
 * The answer changes the identity of so many rows at once that it is probably corrupt. The caller refuses the answer.
 */
export class RowsRewritten extends AppError {
  readonly count: number;
  /** Hours after which the same reading is accepted. */
  readonly standHours: number;
  constructor(count: number, standHours: number) {
    super(`${count} stored rows have other data now`);
    this.count = count;
    this.standHours = standHours;
  }
}
