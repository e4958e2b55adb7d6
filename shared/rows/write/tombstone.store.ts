/**
 * Tombstones of removed rows, for readers of changes. They stay as long as the connection exists. The row is removed
 * and its tombstone written in one transaction of the lease's holder, so that no removal is reported late or lost.
 */

import * as z from 'zod';
import { nowIso } from '#shared/platform/clock.ts';
import { chunks } from '#shared/platform/concurrency.ts';
import type { StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import { listedFields, parseRow, pick } from '#shared/rows/item/row-items.ts';
import { rowSortKeyParts } from '#shared/rows/item/row-keys.ts';
import type { HeldPeriod, ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import { toFirstSequence, toSequence } from '#shared/table/late-writers.ts';
import { stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { checkLease, listKey, type Writer } from './row.store.ts';

const TombstoneSchema = z.object({
  id: z.string(),
  /** Sequence of the write that removed the row. */
  sequence: z.number(),
  period: z.string(),
  /** Listed fields that identify the row at its source. */
  key: z.record(z.string(), z.unknown()),
  /** Null if no run removed the row: the row had arrived late, and its document had changed by then. */
  runId: z.string().nullable(),
  removedAt: z.string(),
});
export interface Tombstone extends z.infer<typeof TombstoneSchema> {}

export const tombstoneItem = item('tombstone', TombstoneSchema, {
  names: { sequence: 'n', runId: 'run', removedAt: 'at' },
  absent: ['runId'],
});

/**
 * Returns the listed fields that form the scope's natural key. A proxy of the row records which fields `naturalKey`
 * reads.
 */
export const pickKeyFields = (scope: ScopeDefinition, row: Row): Row => {
  const asked = new Set<string>();
  const heard = new Proxy(row, {
    get: (fields, name) => {
      asked.add(String(name));
      return fields[String(name)];
    },
  });
  scope.naturalKey(heard);
  return pick(
    row,
    listedFields(scope).filter((field) => asked.has(field)),
  );
};

/** Returns the tombstone of a list row, with the sequence of the current write. */
export const buildTombstone = (
  { address, scope, period, lease }: HeldPeriod,
  listed: table.Item,
  runId: string | null,
): table.TransactItem => {
  const sequence = toSequence(lease);
  const { rowId: id } = rowSortKeyParts(listed.sk);
  const key = pickKeyFields(scope, parseRow(listed));
  const fields = { id, sequence, period, key, runId, removedAt: nowIso() };
  return { put: { ...keys.tombstone(address, sequence, id), ...tombstoneItem.toItem(fields) } };
};

/** Returns the transaction items that remove the documents of rows. A document of a row that has moved stays. */
const documentRemovals = async (
  { address, scope, period }: HeldPeriod,
  rows: readonly StoredRow[],
): Promise<table.TransactItem[]> => {
  if (scope.fullRow === null) return [];
  // A row in two places has one document, and DynamoDB refuses a request that names an item twice.
  const here = Map.groupBy(rows, ({ id }) => id);
  const found = await table.batchGet(
    [...here.keys()].map((id) => keys.fullRow(address, id)),
    { attributes: ['pk', 'sk', 'period', 'sort_key'] },
  );
  return found.flatMap(({ pk, sk, ...place }) => {
    const isHere = here.get(sk)?.some(({ sortKey }) => place.period === period && place.sort_key === sortKey);
    return isHere ? [{ remove: { pk, sk } }] : [];
  });
};

/**
 * Removes listed rows that the source replaced, and their documents. Must be called after the new rows are put and
 * before the index is stored. After a crash, the next worker finds the replaced rows that are still stored.
 */
export const removeListed = async (writer: Writer, rows: readonly StoredRow[]): Promise<void> => {
  const { address, scope, period, lease, runId } = writer;
  const max = scope.fullRow === null ? ROW_LIMITS.rowsRemovedAtOnce : ROW_LIMITS.documentsRemovedAtOnce;
  for (const few of chunks(rows, max)) {
    const places = few.map((row) => listKey(address, { period, ...row }));
    const listed = await table.batchGet(places, { attributes: ['pk', 'sk', 'row'] });
    checkLease(lease);
    const removals = listed.map(({ pk, sk }): table.TransactItem => ({ remove: { pk, sk } }));
    // A row in two places has one tombstone.
    const buried = new Map(
      listed.map((found) => [rowSortKeyParts(found.sk).rowId, buildTombstone(writer, found, runId)]),
    );
    const documents = await documentRemovals(writer, few);
    if (removals.length + documents.length > 0)
      await table.transact([stillHeld(lease), ...removals, ...documents, ...buried.values()]);
  }
};

/** Returns the number of rows per period that a run removed since its first lease of the scope. */
export const countRemoved = async (
  address: ScopeAddress,
  runId: string,
  firstFence: number,
): Promise<Map<string, number>> => {
  const { pk, from, to } = keys.tombstones(address, toFirstSequence(firstFence));
  const counts = new Map<string, number>();
  for (const { run, period } of await table.query(pk, { from, to, attributes: ['run', 'period'] }))
    if (run === runId) counts.set(String(period), (counts.get(String(period)) ?? 0) + 1);
  return counts;
};
