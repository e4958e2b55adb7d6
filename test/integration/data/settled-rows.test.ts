/**
 * If a period was written over a minute ago, any replica may answer a read of its rows. The index reveals a replica
 * that is behind, and the page is read again consistently: here such reads get the answers from before the last sync.
 */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { findSummary, markDirty } from '#shared/rows/index/page-index.store.ts';
import { facetCombinations } from '#shared/rows/item/facets.ts';
import { rowSortKey } from '#shared/rows/item/row-keys.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import type { RowPage } from '#shared/rows/read/row-page.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import { type Row, scopeId } from '#shared/scopes/scope.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { expectedRows } from '#test/helpers/read-model.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

const PERIOD = '2026-10';
/** Its rows have both directions and one `estado`. */
const PARTITIONS = 2;
const STARTS_MS = Date.parse('2026-11-03T12:00:00.000Z');
const OLD_MS = STARTS_MS + ROW_LIMITS.rowsSettledMs + 1;

let server: TestTable;
let clockMs: number;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());
beforeEach(() => {
  clockMs = STARTS_MS;
  plantClock(() => clockMs);
});

const { send } = DynamoDBDocumentClient.prototype;
afterEach(() => {
  plantClock(undefined);
  Object.assign(DynamoDBDocumentClient.prototype, { send });
});

interface Input {
  ConsistentRead?: boolean;
  Limit?: number;
  ExpressionAttributeValues?: Record<string, string>;
  RequestItems?: Record<string, { ConsistentRead?: boolean; Keys?: { pk: string; sk: string }[] }>;
}

/** Answer of an old replica to a read of rows; undefined if the command reads no rows. */
const staleAnswer = ({ input }: { input: Input }, replica: readonly table.Item[]): object => {
  const [name, asked] = Object.entries(input.RequestItems ?? {})[0] ?? [];
  if (name !== undefined) {
    const wanted = new Set(asked?.Keys?.map(({ pk, sk }) => pk + sk));
    return { Responses: { [name]: replica.filter(({ pk, sk }) => wanted.has(pk + sk)) } };
  }
  const { ':pk': pk, ':to': to = '~' } = input.ExpressionAttributeValues!;
  const below = replica.filter((item) => item.pk === pk && item.sk <= to);
  return { Items: below.sort((a, b) => (a.sk < b.sk ? 1 : -1)).slice(0, input.Limit) };
};

/** Records how rows are read from here on, in order; `replica` answers eventually consistent reads. */
const watchRows = (replica?: readonly table.Item[]): { isConsistent: boolean[] } => {
  const watched = { isConsistent: [] as boolean[] };
  const answering = function (this: DynamoDBDocumentClient, ...args: [{ input: Input }]): unknown {
    const { input } = args[0];
    const [batch] = Object.values(input.RequestItems ?? {});
    const readsRows = [input.ExpressionAttributeValues?.[':pk'], batch?.Keys?.[0]?.pk].some((pk) =>
      pk?.includes('#ROWS#'),
    );
    if (readsRows) {
      const isConsistent = (batch ?? input).ConsistentRead === true;
      watched.isConsistent.push(isConsistent);
      if (!isConsistent && replica) return Promise.resolve(staleAnswer(args[0], replica));
    }
    return (send as (...given: unknown[]) => unknown).apply(this, args);
  };
  Object.assign(DynamoDBDocumentClient.prototype, { send: answering });
  return watched;
};

const OF_SCOPE: Record<string, (n: number) => Row> = {
  rcv: (n) => ({ direction: n % 2 === 0 ? 'issued' : 'received', estado: 'registro' }),
  guias: () => ({ counterparty_name: 'Ferretería' }),
};

const rowsOf = ({ scope }: SyncedScope, count: number): Row[] => {
  const random = randomFrom(7);
  return Array.from({ length: count }, (_, n) => ({
    ...ROW_MAKERS[scopeId(scope)]!(random, PERIOD, n),
    ...OF_SCOPE[scope.name]!(n),
    folio: String(n),
    issued_at: `${PERIOD}-${String((n % 28) + 1).padStart(2, '0')}`,
  }));
};

const CASES = {
  'a first page': { offset: 0, limit: 20, fields: {} },
  'a page far in': { offset: 15, limit: 20, fields: {} },
  'a page of one partition': { offset: 0, limit: 20, fields: { direction: 'issued' } },
  'a search': { offset: 5, limit: 20, fields: {}, q: 'ferreteria' },
} as const;
type Case = { offset: number; limit: number; fields: Record<string, string>; q?: string };
const cases = Object.entries<Case>(CASES);

/** A synced scope for the case: guides if it searches. */
const syncedFor = ({ q }: Case): Promise<SyncedScope> => newSyncedScope(q === undefined ? taxRcv : taxGuias);

const pageOf = async ({ address, scope }: SyncedScope, { fields, q, offset, limit }: Case): Promise<RowPage> => {
  const filter = { period: null, q, facets: fields, days: { from: null, to: null } };
  return readPage({ address, scope, filter, offset, limit }, await findSummary(address));
};
const told = ({ rows, total }: RowPage) => ({ ids: rows.map(({ id }) => id), total });
const expected = ({ model }: SyncedScope, { fields, q, offset, limit }: Case) => {
  const ids = expectedRows(model.values(), { fields, ...(q === undefined ? {} : { q }) }).map(({ id }) => id);
  return { ids: ids.slice(offset, offset + limit), total: ids.length };
};
const replicaOf = async ({ address, scope }: SyncedScope): Promise<table.Item[]> => {
  const partitions = facetCombinations(scope.facets).map((facets) => table.query(keys.rows(address, PERIOD, facets)));
  return (await Promise.all(partitions)).flat();
};
const writtenAt = async ({ address }: SyncedScope) => (await findSummary(address))[PERIOD]!.writtenAtMs;

test.each(cases)('%s reads rows consistently up to a minute after the last write', async (_, asked) => {
  const synced = await syncedFor(asked);
  await synced.sync(PERIOD, rowsOf(synced, 60));
  for (const atMs of [STARTS_MS, OLD_MS - 1]) {
    clockMs = atMs;
    const { isConsistent } = watchRows([]);
    expect(told(await pageOf(synced, asked))).toEqual(expected(synced, asked));
    expect(new Set(isConsistent)).toEqual(new Set([true]));
  }
});

test.each(cases)('%s reads them from any replica later, and once', async (_, asked) => {
  const synced = await syncedFor(asked);
  await synced.sync(PERIOD, rowsOf(synced, 60));
  clockMs = OLD_MS;
  const { isConsistent } = watchRows();
  expect(told(await pageOf(synced, asked))).toEqual(expected(synced, asked));
  expect(new Set(isConsistent)).toEqual(new Set([false]));
  expect(isConsistent.length).toBeLessThanOrEqual(PARTITIONS);
});

test.each(cases)('%s is right when its rows come as they were before the last sync', async (_, asked) => {
  const synced = await syncedFor(asked);
  await synced.sync(PERIOD, rowsOf(synced, 40));
  const before = await replicaOf(synced);
  await synced.sync(PERIOD, rowsOf(synced, 60));
  for (const replica of [before, []]) {
    clockMs = OLD_MS;
    const { isConsistent } = watchRows(replica);
    expect(told(await pageOf(synced, asked))).toEqual(expected(synced, asked));
    expect(isConsistent[0]).toBe(false);
    expect(isConsistent.at(-1)).toBe(true);
  }
});

test.each(cases)('%s ends while rows are being written that the index does not contain yet', async (_, asked) => {
  const synced = await syncedFor(asked);
  await synced.sync(PERIOD, rowsOf(synced, 60));
  const listed = (await replicaOf(synced)).find(({ pk }) => pk.includes('issued') || synced.scope === taxGuias);
  await table.put({ ...listed!, sk: rowSortKey(`${PERIOD}-28`, null, 'ffffffff-ffff-4fff-bfff-ffffffffffff') });
  clockMs = OLD_MS;
  const { isConsistent } = watchRows();
  const { total, rows } = await pageOf(synced, asked);
  expect({ total, rows: rows.length }).toEqual({ total: expected(synced, asked).total, rows: 20 });
  if (asked.offset === 0) expect(isConsistent.at(-1)).toBe(true);
});

test('a sync that changes no row leaves the time of the last write, one that changes a row sets it', async () => {
  const synced = await newSyncedScope(taxRcv);
  await synced.sync(PERIOD, rowsOf(synced, 10));
  expect(await writtenAt(synced)).toBe(STARTS_MS);
  clockMs += 10_000;
  await synced.sync(PERIOD, rowsOf(synced, 10));
  expect(await writtenAt(synced)).toBe(STARTS_MS);
  const [row, ...others] = rowsOf(synced, 10);
  await synced.sync(PERIOD, [{ ...row!, transaction_type: 'Otro' }, ...others]);
  expect(await writtenAt(synced)).toBe(STARTS_MS + 10_000);
});

test('the look at late rows, which may change them, sets it', async () => {
  const synced = await newSyncedScope(taxRcv);
  await synced.sync(PERIOD, rowsOf(synced, 10));
  await markDirty(synced.address, PERIOD, synced.lease);
  const repair = async (): Promise<number | undefined> => {
    const { lease } = await takeForRepair(synced.address);
    await reindex(synced.address, taxRcv, PERIOD, lease);
    return writtenAt(synced);
  };
  clockMs += SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs + 1;
  expect(await repair()).toBe(clockMs);
  clockMs += TABLE_LIMITS.lateWriteMs + 1;
  expect(await repair()).toBe(clockMs);
  const settledMs = clockMs;
  clockMs += TABLE_LIMITS.lateWriteMs;
  expect(await repair()).toBe(settledMs);
});
