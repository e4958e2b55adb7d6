/**
 * Writes rows to their partitions. Each function may be repeated: after a crash, the next worker finds the same rows
 * again.
 */

import { writeChildRows } from '#shared/rows/item/child-rows.store.ts';
import type { StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import {
  carryOver,
  fullItem,
  listItem,
  missingFields,
  type NewRow,
  parseRow,
  type RowHistory,
  type RowLocation,
  type StoredFullRow,
  storedFullRow,
} from '#shared/rows/item/row-items.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { HeldPeriod, ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { isExpiring, type Lease, LeaseLost, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { maybeDamaged } from '#shared/values/damaged-forms.ts';

export interface Writer extends HeldPeriod {
  runId: string;
  /** Fence of the run's first lease of the scope. Absent if the first lease is the present lease. */
  firstFence?: number | undefined;
}

export interface RowWrite {
  row: NewRow;
  history: RowHistory;
  /** Number of child rows stored so far. */
  childrenBefore: number;
}

/** @throws LeaseLost or the abort reason of the lease's signal */
export const checkLease = (lease: Lease): void => {
  lease.signal?.throwIfAborted();
  if (isExpiring(lease)) throw new LeaseLost();
};

export const listKey = (address: ScopeAddress, { period, facets, sortKey }: RowLocation): Key => ({
  pk: keys.rows(address, period, facets),
  sk: sortKey,
});

/**
 * Writes full items before list rows: a list row without its document would give a 404, while a document without its
 * list row is found again. Returns the number of removed child rows that the source no longer shows.
 */
export const writeRows = async (writer: Writer, rows: readonly RowWrite[]): Promise<number> => {
  const { scope, lease } = writer;
  let removed = 0;
  if (scope.fullRow !== null) {
    const puts: table.Item[] = [];
    for (const { row, history, childrenBefore } of rows) {
      const written = await writeChildRows(writer, row, childrenBefore, () => checkLease(lease));
      removed += written.removed;
      puts.push(fullItem(writer, row, history, written.count));
    }
    await table.batchWrite({ puts }, () => checkLease(lease));
  }
  const puts = rows.map(({ row, history }) => listItem(writer, row, history));
  await table.batchWrite({ puts }, () => checkLease(lease));
  return removed;
};

/**
 * Moves a row in one transaction: removes the old list row, puts the new one, and updates the document only if it still
 * names the old place. So a row is never in two places. Returns the number of removed child rows.
 */
export const moveRow = async (writer: Writer, before: StoredFullRow, row: NewRow): Promise<number> => {
  const { address, scope, lease, runId } = writer;
  const { createdAt, createdRun, createdSequence } = before;
  const history = { createdAt, createdRun, updatedRun: runId, createdSequence };
  const old = before.place;
  const merged = carryOver(scope, row, before.row);
  const written = await writeChildRows(writer, row, before.childCount, () => checkLease(lease));
  await table.transact([
    stillHeld(lease),
    { remove: listKey(address, old) },
    { put: listItem(writer, merged, history) },
    {
      put: fullItem(writer, merged, history, written.count),
      if: '#period = :period AND #facets = :facets AND #sort_key = :sort_key',
      values: { period: old.period, facets: old.facets, sort_key: old.sortKey },
    },
  ]);
  return written.removed;
};

/**
 * Moves a row of a scope that stores only list rows. The key of such a row contains the period, so the row moves only
 * within its period.
 */
export const moveListed = async (writer: Writer, from: StoredRow, row: NewRow): Promise<void> => {
  const { address, period, lease, runId } = writer;
  // Only full items store `createdAt`. Every list that shows `createdAt` belongs to a scope with full items.
  const { createdRun, createdSequence } = from;
  const history = { createdAt: '', createdRun, updatedRun: runId, createdSequence };
  await table.transact([
    stillHeld(lease),
    { remove: listKey(address, { period, ...from }) },
    { put: listItem(writer, row, history) },
  ]);
};

/**
 * In scopes that store only list rows, fills missing fields of rows and replaces damaged texts by their stored values.
 *
 * @param others ids of rows whose number now belongs to other data; no stored value is carried over to them
 * @returns the rows, and the number of rows that kept a stored value
 */
export const completeListed = async (
  { address, scope, period }: Writer,
  rows: readonly NewRow[],
  stored: ReadonlyMap<string, StoredRow>,
  others: ReadonlySet<string>,
): Promise<{ rows: NewRow[]; completed: number }> => {
  const isIncomplete = (row: NewRow): boolean => missingFields(scope, row).length > 0 || maybeDamaged(row.row);
  const lacking = scope.fullRow === null ? rows.filter(isIncomplete) : [];
  const places = lacking.flatMap(({ id }) => stored.get(id) ?? []);
  if (places.length === 0) return { rows: [...rows], completed: 0 };
  const items = await table.batchGet(places.map((row) => listKey(address, { period, ...row })));
  const before = new Map(
    items.map((item) => {
      const { rowId } = rowSortKeyParts(item.sk);
      return [rowId, others.has(rowId) ? {} : parseRow(item)];
    }),
  );
  const keepsValue = (row: NewRow): boolean =>
    missingFields(scope, row).some((field) => (before.get(row.id)?.[field] ?? null) !== null);
  const carried = rows.map((row) => {
    const listed = before.get(row.id);
    return listed ? carryOver(scope, row, listed) : row;
  });
  return { rows: carried, completed: lacking.filter(keepsValue).length };
};

export const findFullRows = async (writer: Writer, rows: readonly NewRow[]): Promise<Map<string, StoredFullRow>> => {
  if (writer.scope.fullRow === null || rows.length === 0) return new Map();
  const items = await table.batchGet(rows.map((row) => keys.fullRow(writer.address, row.id)));
  return new Map(items.map((item) => [item.sk, storedFullRow(item)]));
};
