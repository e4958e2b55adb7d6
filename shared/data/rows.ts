/**
 * Writing a period (architecture.md §4): mark it dirty, write what differs, make the index say what the rows are. A
 * worker may die between any two lines: full items are written before list rows, moves are transactions, and whoever
 * comes next finds the same rows again. A re-sync that finds nothing new writes no row.
 */

import { diffRows, facetCombinations, type StoredRow } from '#shared/domain/row-diff.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { inParallel } from './batches.ts';
import { keys } from './keys.ts';
import { isExpiring, type Lease, LeaseLost, stillHeld } from './leases.ts';
import { markDirty, type ScopeAddress, store } from './page-indexes.ts';
import {
  carryOver,
  fullItem,
  listItem,
  type NewRow,
  type RowHistory,
  type StoredFullRow,
  storedFullRow,
  storedRow,
} from './row-items.ts';
import * as table from './table.ts';

export interface PeriodCounts {
  found: number;
  created: number;
  updated: number;
}

interface Writer {
  address: ScopeAddress;
  scope: ScopeDefinition;
  runId: string;
  lease: Lease;
}

/** Rows of one period as stored, of every facet partition. */
export const readPeriod = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
): Promise<StoredRow[]> => {
  const partitions = await Promise.all(
    facetCombinations(scope.facets).map(async (facets) => {
      const pk = keys.rows(address.organizationId, address.connectionId, address.scope, period, facets);
      const items = await table.query(pk, { attributes: ['sk', 'hash', 'created_run', 'updated_run'] });
      return items.map((item) => storedRow(facets, item));
    }),
  );
  return partitions.flat();
};

/** Makes the index of a period say what its rows are: for whoever ends a scope, the sweeper included. */
export const reindex = async (
  address: ScopeAddress,
  scope: ScopeDefinition,
  period: string,
  lease: Lease,
): Promise<void> => store(address, period, await readPeriod(address, scope, period), lease);

const mayGoOn = (lease: Lease) => (): boolean => {
  if (isExpiring(lease)) throw new LeaseLost();
  return true;
};

const CHUNK_ROWS = 500;

/** Full items first: a list row without its document would be a 404, a document without list row is found again. */
const writeRows = async (
  writer: Writer,
  period: string,
  rows: readonly { row: NewRow; history: RowHistory }[],
): Promise<void> => {
  const { address, scope, lease } = writer;
  for (let i = 0; i < rows.length; i += CHUNK_ROWS) {
    const chunk = rows.slice(i, i + CHUNK_ROWS);
    if (scope.fullRow !== null)
      await table.batchWrite(
        { puts: chunk.map(({ row, history }) => fullItem(address, period, row, history)) },
        mayGoOn(lease),
      );
    await table.batchWrite(
      { puts: chunk.map(({ row, history }) => listItem(address, scope, period, row, history)) },
      mayGoOn(lease),
    );
  }
};

/** One transaction: old list row out, new one in, locator conditional on the old place. Never in two places. */
const moveRow = async (writer: Writer, period: string, before: StoredFullRow, row: NewRow): Promise<void> => {
  const { address, scope, lease, runId } = writer;
  const history = { createdAt: before.createdAt, createdRun: before.createdRun, updatedRun: runId };
  const old = before.place;
  const merged = { ...row, row: carryOver(scope, row.row, before.row) };
  await table.transact([
    stillHeld(lease),
    {
      remove: {
        pk: keys.rows(address.organizationId, address.connectionId, address.scope, old.period, old.facets),
        sk: old.sortKey,
      },
    },
    { put: listItem(address, scope, period, merged, history) },
    {
      put: fullItem(address, period, merged, history),
      if: '#period = :period AND #facets = :facets AND #sort_key = :sort_key',
      values: { period: old.period, facets: old.facets, sort_key: old.sortKey },
    },
  ]);
};

const findFullRows = async (writer: Writer, rows: readonly NewRow[]): Promise<Map<string, StoredFullRow>> => {
  if (writer.scope.fullRow === null || rows.length === 0) return new Map();
  const { organizationId, connectionId, scope } = writer.address;
  const items = await table.batchGet(rows.map((row) => keys.fullRow(organizationId, connectionId, scope, row.id)));
  return new Map(items.map((item) => [item.sk, storedFullRow(item)]));
};

/**
 * `rows` are all rows that the source shows in this period, each once. `mayBeElsewhere` false spares the look-up of
 * new rows in other periods: nothing of the scope was ever stored.
 */
export const writePeriod = async (
  writer: Writer,
  period: string,
  rows: readonly NewRow[],
  mayBeElsewhere: boolean,
): Promise<PeriodCounts> => {
  const { address, scope, runId, lease } = writer;
  const stored = await readPeriod(address, scope, period);
  const diff = diffRows(stored, rows);
  const touched = diff.unknown.length + diff.changed.length + diff.moved.length > 0;
  const now = nowIso();
  const fresh: RowHistory = { createdAt: now, createdRun: runId, updatedRun: runId };
  const final = new Map(stored.map((row) => [row.id, row]));
  const left = new Set<string>();

  if (touched) {
    await markDirty(address, period, lease);
    const known = await findFullRows(writer, [
      ...(mayBeElsewhere ? diff.unknown : []),
      ...diff.changed,
      ...diff.moved.map(({ to }) => to),
    ]);
    const settle = (row: NewRow, history: RowHistory): void => {
      final.set(row.id, { ...row, createdRun: history.createdRun, updatedRun: history.updatedRun });
    };

    const writes: { row: NewRow; history: RowHistory }[] = [];
    const moves: { before: StoredFullRow; row: NewRow }[] = [];
    const rewrite = (row: NewRow, before: StoredFullRow, changed: boolean): void => {
      const history = { ...before, updatedRun: changed ? runId : before.updatedRun };
      writes.push({ row: { ...row, row: carryOver(scope, row.row, before.row) }, history });
      settle(row, history);
    };
    for (const row of [...diff.unknown, ...diff.changed]) {
      const before = known.get(row.id);
      if (before === undefined) {
        const here = final.get(row.id);
        const history = here ? { ...fresh, createdRun: here.createdRun } : fresh;
        writes.push({ row, history });
        settle(row, history);
      } else if (
        before.place.period === period &&
        before.place.facets === row.facets &&
        before.place.sortKey === row.sortKey
      ) {
        // Here already, or its worker died before the list row: then it is as it was, not changed again.
        rewrite(row, before, before.hash !== row.hash);
      } else moves.push({ before, row });
    }
    for (const { from, to } of diff.moved) {
      const before = known.get(to.id);
      if (before === undefined)
        throw new Error(`row ${to.id} of ${address.scope} is listed at ${from.facets} without a document`);
      moves.push({ before, row: to });
    }

    for (const { before } of moves) if (before.place.period !== period) left.add(before.place.period);
    for (const other of left) await markDirty(address, other, lease);
    await writeRows(writer, period, writes);
    await inParallel(moves, LIMITS.tableParallelMax, async ({ before, row }) => {
      mayGoOn(lease)();
      await moveRow(writer, period, before, row);
      settle(row, { createdAt: before.createdAt, createdRun: before.createdRun, updatedRun: runId });
    });
  }

  await store(address, period, [...final.values()], lease);
  for (const other of left) await reindex(address, scope, other, lease);

  const settled = [...final.values()];
  return {
    found: rows.length,
    created: settled.filter((row) => row.createdRun === runId).length,
    updated: settled.filter((row) => row.updatedRun === runId && row.createdRun !== runId).length,
  };
};
