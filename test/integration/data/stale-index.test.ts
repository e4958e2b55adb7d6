/**
 * Any replica may answer a read of the index, and may be a moment behind: the reader then finds that the index differs
 * from the summary and reads it again consistently. Here the table answers such reads as before the last sync.
 */
import { type BatchGetCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import type { Row, ScopeDefinition } from '#shared/scopes/scope.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

const PERIOD = '2026-10';
const FIRST = 40;
const ALL = 70;

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

const { send } = DynamoDBDocumentClient.prototype;
afterEach(() => Object.assign(DynamoDBDocumentClient.prototype, { send }));

/** From here on, every eventually consistent read gets `items` and nothing else. */
const answerStale = (items: readonly table.Item[]): { stale: number } => {
  const reads = { stale: 0 };
  const answering = function (this: DynamoDBDocumentClient, ...args: [BatchGetCommand]): unknown {
    const [command] = args;
    const [name, asked] = Object.entries(command.input.RequestItems ?? {})[0] ?? [];
    if (command.constructor.name === 'BatchGetCommand' && name !== undefined) {
      if (asked?.ConsistentRead !== true) {
        reads.stale++;
        const wanted = new Set(asked?.Keys?.map(({ sk }) => sk));
        return Promise.resolve({ Responses: { [name]: items.filter(({ sk }) => wanted.has(sk)) } });
      }
    }
    return (send as (...given: unknown[]) => unknown).apply(this, args);
  };
  Object.assign(DynamoDBDocumentClient.prototype, { send: answering });
  return reads;
};

const rowsOf = (scope: ScopeDefinition, count: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({
    ...ROW_MAKERS[`${scope.source}.${scope.name}`]!(randomFrom(n), PERIOD, n),
    folio: String(n),
    issued_at: `${PERIOD}-${String((n % 28) + 1).padStart(2, '0')}`,
    counterparty_name: 'Ferretería',
  }));

const itemsOf = ({ address }: SyncedScope): Promise<table.Item[]> => table.query(keys.index(address));

const asked = { period: null, facets: {}, days: { from: null, to: null } };
const pageOf = async ({ address, scope }: SyncedScope, q: string | undefined) =>
  readPage({ address, scope, filter: { ...asked, q }, offset: 0, limit: 200 }, await findSummary(address));

test.each([
  ['a page', undefined],
  ['a search', 'ferreteria'],
])('%s is complete when its index comes as it was before the last sync', async (_, q) => {
  const synced = await newSyncedScope(taxGuias);
  await synced.sync(PERIOD, rowsOf(taxGuias, FIRST));
  const before = await itemsOf(synced);
  await synced.sync(PERIOD, rowsOf(taxGuias, ALL));
  const reads = answerStale(before);
  const { rows, total } = await pageOf(synced, q);
  expect({ total, rows: rows.length }).toEqual({ total: ALL, rows: ALL });
  expect(reads.stale).toBe(1);
});

test.each([
  ['a page', undefined],
  ['a search', 'ferreteria'],
])('%s is complete when its index has not come yet', async (_, q) => {
  const synced = await newSyncedScope(taxGuias);
  await synced.sync(PERIOD, rowsOf(taxGuias, ALL));
  const reads = answerStale([]);
  const { rows, total } = await pageOf(synced, q);
  expect({ total, rows: rows.length }).toEqual({ total: ALL, rows: ALL });
  expect(reads.stale).toBe(1);
});
