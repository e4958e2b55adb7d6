/**
 * Matches the rows of a reading with rows that are stored under another number of the source
 * (shared/rows/write/renumbered.rules.ts).
 */

import { chunks } from '#shared/platform/concurrency.ts';
import { listedRows } from '#shared/rows/index/row-partition.store.ts';
import { diffRows, type IncomingRow, type StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import { rowSortKey, rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { NumberedDefinition, Row } from '#shared/scopes/scope.ts';
import { canonicalDecimal, isDecimal } from '#shared/values/decimals.ts';
import { isMassChange } from '#shared/values/mass-change.ts';
import {
  findNumberNotes,
  judgePlain,
  judgeRewritten,
  keepNumberNotes,
  NO_NOTES,
  type NumberNotes,
  tellNumbers,
} from './number-notes.store.ts';
import type { WaitingRows } from './pending-rows.ts';
import { type NumberedRow, RowsRewritten, recognize } from './renumbered.rules.ts';
import type { Writer } from './row.store.ts';

export interface NotesToKeep {
  period: string;
  before: NumberNotes;
  after: NumberNotes;
}

export interface KnownRows {
  rows: WaitingRows;
  /** Stored duplicates: rows that are also stored under a second number, which the source still shows. */
  twins: StoredRow[];
  /** Number of rows whose number at the source differs from the stored number and that were not reported before. */
  renumbered: number;
  /** Number of rows whose number now belongs to other data. */
  rewritten: number;
  /** Ids of the rewritten rows. No stored values are carried over to them. */
  others: ReadonlySet<string>;
  /** Notes to store after the counts were reported; null if the notes are unchanged. */
  notes: NotesToKeep | null;
}

const NOTHING_OTHER = { twins: [], renumbered: 0, others: new Set<string>(), notes: null };

/**
 * True if every stored row is shown unchanged. In this case, additional rows are new rows, not stored rows under
 * changed numbers.
 */
const isPlain = (stored: readonly StoredRow[], shown: readonly IncomingRow[]): boolean => {
  const { unknown, changed, moved } = diffRows(stored, shown);
  return changed.length + moved.length === 0 && shown.length - unknown.length === stored.length;
};

const spelled = (value: unknown): string => (isDecimal(value) ? canonicalDecimal(value) : String(value ?? ''));

const numberedRow = ({ content, marks }: NumberedDefinition, id: string, row: Row): NumberedRow => ({
  id,
  content: JSON.stringify(content.map((field) => spelled(row[field]))),
  marks: marks.map((field) => spelled(row[field])),
});

const storedContents = async (
  { address, scope, period }: Writer,
  numbered: NumberedDefinition,
): Promise<NumberedRow[]> => {
  const rows: NumberedRow[] = [];
  await listedRows(address, scope, period, (id, row) => rows.push(numberedRow(numbered, id, row)));
  return rows;
};

const renamed = (row: IncomingRow, id: string | undefined): IncomingRow => {
  if (id === undefined) return row;
  const { day, instant } = rowSortKeyParts(row.sortKey);
  return { ...row, id, sortKey: rowSortKey(day, instant, id) };
};

/**
 * Returns the rows of the reading under the ids of the stored rows that they match, and the counts of changed numbers.
 * @throws RowsRewritten if too many rows would change identity and the reading is not accepted yet
 */
export const matchStoredRows = async (
  writer: Writer,
  numbered: NumberedDefinition | undefined,
  stored: readonly StoredRow[],
  rows: WaitingRows,
): Promise<KnownRows> => {
  if (!numbered) return { ...NOTHING_OTHER, rows, rewritten: 0 };
  const { address, period, runId } = writer;
  const before = stored.length === 0 ? NO_NOTES : await findNumberNotes(address, period);
  if (isPlain(stored, rows.list)) {
    const isByOthers = stored.every((row) => row.createdRun !== runId && row.updatedRun !== runId);
    const hasMore = rows.list.length > stored.length;
    const notes = stored.length === 0 ? NO_NOTES : judgePlain(before, { isByOthers, hasMore, runId });
    await keepNumberNotes(writer, period, before, notes);
    return { ...NOTHING_OTHER, rows, rewritten: notes.believed?.count ?? 0 };
  }
  const runs = new Map(stored.map(({ id, updatedRun }) => [id, updatedRun]));
  const contents = (await storedContents(writer, numbered)).map((row) => ({
    ...row,
    writtenRun: runs.get(row.id) ?? '',
  }));
  const shown = chunks(rows.list, ROW_LIMITS.rowsPerWrite).flatMap((few) =>
    rows.open(few).map(({ id, row }) => numberedRow(numbered, id, row)),
  );
  const { ids, rewritten, twins } = recognize(contents, shown);
  const others = new Set(rewritten.map(({ id }) => id));
  const replaced = contents.filter(({ id }) => others.has(id));
  const isTooMany = isMassChange(rewritten.length, stored.length);
  const { notes: judged, hours } = judgeRewritten(before, rewritten, replaced, { runId, isTooMany });
  await keepNumberNotes(writer, period, before, judged);
  if (isTooMany && !judged.believed) throw new RowsRewritten(rewritten.length, hours);
  const { count, told } = tellNumbers(before, ids, (id) => runs.has(id));
  const gone = new Set(twins);
  const hasMore = rows.list.some(({ id }) => !runs.has(ids.get(id) ?? id));
  return {
    rows: { ...rows, list: rows.list.map((row) => renamed(row, ids.get(row.id))) },
    twins: stored.filter(({ id }) => gone.has(id)),
    renumbered: count,
    rewritten: judged.believed?.count ?? rewritten.length,
    others,
    notes: { period, before: judged, after: { ...judged, told, unreadRun: hasMore ? runId : judged.unreadRun } },
  };
};
