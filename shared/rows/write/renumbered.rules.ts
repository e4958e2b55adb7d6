/**
 * Rows whose key is the source's own number (decisions.md §5: a row is never in two places). A source may number the same
 * rows anew: each stays the row it was. A number under which another thing comes is counted, and its row rewritten. Pure.
 */

import { v5 as uuidv5 } from 'uuid';
import { AppError } from '#shared/values/app-error.ts';

export interface NumberedRow {
  id: string;
  /** Equal for the same thing, whatever its number. */
  content: string;
  /** All of them differ: another thing. */
  marks: readonly string[];
  /** Run that wrote this content; absent for a row that comes. */
  writtenRun?: string;
}

export interface Recognized {
  /** Id as it came → id under which it is stored, or a new one where its own belongs to another row. */
  ids: ReadonlyMap<string, string>;
  /** Rows that came under another number than the stored one. */
  renumbered: number;
  /** Rows that came under the number of a stored one that is another thing, and is not shown any more. */
  rewritten: readonly NumberedRow[];
  /**
   * Stored rows that are not shown, beside the same thing under a number that is. Two that one run wrote were shown
   * beside each other: they are two things that look alike, and stay. None, where other rows are not shown either: an
   * old or cut answer.
   */
  twins: readonly string[];
}

const isAnother = (a: NumberedRow, b: NumberedRow): boolean => a.marks.every((mark, at) => mark !== b.marks[at]);

/**
 * Every stored number is shown, and further ones: the balances after a late booking change, and its row may look like
 * the one after it. Then a row's own number says which one it is; else its content does, where a stored row has it.
 */
const didRowsComeBetween = (stored: readonly NumberedRow[], shown: readonly NumberedRow[]): boolean => {
  const numbers = new Set(shown.map(({ id }) => id));
  return numbers.size > stored.length && stored.every(({ id }) => numbers.has(id));
};

export const recognize = (stored: readonly NumberedRow[], shown: readonly NumberedRow[]): Recognized => {
  /** Stored rows that nothing shown stands for yet. */
  const open = new Map(stored.map((row) => [row.id, row]));
  /** Of the stored rows that are shown. */
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

/** So many rows that become others at once are no corrections: whoever reads the answer refuses it. */
export class RowsRewritten extends AppError {
  readonly count: number;
  /** So much later the same reading is believed. */
  readonly standHours: number;
  constructor(count: number, standHours: number) {
    super(`${count} stored rows are something else now`);
    this.count = count;
    this.standHours = standHours;
  }
}
