/**
 * Decides about rows whose facts a reading changes (ADR 36). A few changes are corrections and are stored. Many changes
 * in one reading mean a corrupt answer: the stored values stay until a later reading shows the same.
 */
import { chunks } from '#shared/platform/concurrency.ts';
import { childRowsInOrder, readChildRows } from '#shared/rows/item/child-rows.store.ts';
import type { IncomingRow, StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import { hasOtherFacts, rowFacts } from '#shared/rows/item/row-facts.rules.ts';
import type { NewRow } from '#shared/rows/item/row-items.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { shortHash } from '#shared/values/doubt.ts';
import { isMassChange } from '#shared/values/mass-change.ts';
import { type FindLastReading, judgeDoubts } from './doubts.store.ts';
import type { WaitingRows } from './pending-rows.ts';
import { findFullRows, type Writer } from './row.store.ts';

/** A first reading changes facts in so many rows that the answers are requested once more. */
export class FactsContradicted extends AppError {
  constructor(count: number) {
    super(`${count} stored rows would change their amount, day or counterparty`);
  }
}

export interface FactsOptions {
  /** True if the answers were already requested a second time. */
  isSecondReading: boolean;
  findLastReading: FindLastReading;
}

export interface JudgedFacts {
  /** Rows of the reading that may be stored. */
  rows: readonly IncomingRow[];
  /** Rows whose facts change now. */
  corrected: number;
  /** Rows whose stored facts stay. */
  held: number;
  /** Hours after which the held rows are accepted if a reading shows the same. */
  heldHours: number;
}

const FACTS = 'facts';

/** Returns the facts of the child rows that changed, as JSON; null if none changed. */
const changedChildren = async (
  { address, scope: { childRows: children } }: Writer,
  { id, childRows }: NewRow,
  count: number,
): Promise<string | null> => {
  const { facts } = children ?? {};
  if (!children || !facts || childRows === null || count === 0) return null;
  const stored = await readChildRows({ address, rowId: id, count }, 0, count);
  const before = new Map(stored.map((row) => [row.id, rowFacts(facts, row)]));
  const changed = childRowsInOrder(children, id, childRows, stored).flatMap((row) => {
    const known = before.get(row.id);
    const now = rowFacts(facts, row);
    return known !== undefined && hasOtherFacts(known, now) ? [[row.id, now]] : [];
  });
  return changed.length === 0 ? null : JSON.stringify(changed);
};

/** Returns the rows of the reading that change facts of stored rows, with their hashes. */
const findChanged = async (
  writer: Writer,
  stored: ReadonlyMap<string, StoredRow>,
  rows: readonly IncomingRow[],
  waiting: WaitingRows,
): Promise<Map<string, string>> => {
  const { scope } = writer;
  const changed = new Map<string, string>();
  const different = rows.filter(({ id, hash }) => stored.get(id)?.facts !== undefined && stored.get(id)?.hash !== hash);
  for (const few of chunks(different, ROW_LIMITS.rowsPerWrite)) {
    const opened = waiting.open(few);
    const documents = scope.childRows?.facts ? await findFullRows(writer, opened) : new Map<string, never>();
    for (const row of opened) {
      const { id } = row;
      const facts = rowFacts(scope.facts ?? [], row.row);
      const before = stored.get(id)?.facts;
      const isOther = before !== undefined && hasOtherFacts(before, facts);
      const children = await changedChildren(writer, row, documents.get(id)?.childCount ?? 0);
      if (isOther || children !== null) changed.set(id, shortHash(JSON.stringify([id, facts, children])));
    }
  }
  return changed;
};

/**
 * @param rows rows of the reading
 * @param others rows whose number belongs to other data, which the rules of row numbers have accepted
 * @throws FactsContradicted if a first reading changes too many rows
 */
export const holdFacts = async (
  writer: Writer,
  {
    stored,
    rows,
    waiting,
    others,
  }: {
    stored: readonly StoredRow[];
    rows: readonly IncomingRow[];
    waiting: WaitingRows;
    others: ReadonlySet<string>;
  },
  { isSecondReading, findLastReading }: FactsOptions,
): Promise<JudgedFacts> => {
  if (!writer.scope.facts) return { rows, corrected: 0, held: 0, heldHours: 0 };
  const known = new Map(stored.filter(({ id }) => !others.has(id)).map((row) => [row.id, row]));
  const changed = await findChanged(writer, known, rows, waiting);
  const shown = rows.filter(({ id }) => known.has(id)).length;
  if (!isMassChange(changed.size, shown)) return { rows, corrected: changed.size, held: 0, heldHours: 0 };
  const contradiction = {
    shown: new Set(changed.values()),
    rows: stored.filter(({ id }) => changed.has(id)),
  };
  const judged = await judgeDoubts(writer, new Map([[FACTS, contradiction]]), findLastReading);
  if (judged.believed.has(FACTS)) return { rows, corrected: changed.size, held: 0, heldHours: 0 };
  if (!isSecondReading) throw new FactsContradicted(changed.size);
  return {
    rows: rows.filter(({ id }) => !changed.has(id)),
    corrected: 0,
    held: changed.size,
    heldHours: judged.hours.get(FACTS) ?? 0,
  };
};
