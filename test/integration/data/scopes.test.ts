/** Every scope over a real table: a few of the cases that test/unit/scopes/lists.test.ts tries by the thousand. */
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { dirtyPeriods, findSummary } from '#shared/rows/index/page-index.store.ts';
import { findPartitions } from '#shared/rows/index/row-partition.store.ts';
import { readLatest } from '#shared/rows/read/read-latest.store.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { reindex } from '#shared/rows/write/write-period.ts';
import { bankoneBalances } from '#shared/scopes/bankone-balances.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { judgeCase, judgeRows } from '#test/helpers/list-cases.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { newSyncedScope, randomAsk, syncRandomly, withoutContradictions } from '#test/helpers/synced-scope.ts';

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

const CASES = 20;
const ROWS_MAX = 60;

const partitionsInTable = async (connectionId: string): Promise<string[]> => {
  const client = new DynamoDBClient();
  const { Items = [] } = await client.send(new ScanCommand({ TableName: server.tableName }));
  client.destroy();
  const keys = Items.map((item) => item.pk!.S!).filter((pk) => pk.includes(connectionId) && !pk.includes('#CONN#'));
  return [...new Set(keys)];
};

const listed = SCOPES.filter(({ resource }) => resource !== null);

describe.each(listed.map((scope): [string, ScopeDefinition] => [scopeId(scope), scope]))('%s', (_, scope) => {
  const seed = Math.floor(Math.random() * 2 ** 31);

  test(`answers as the model (seed ${seed})`, async () => {
    const random = randomFrom(seed);
    const synced = await newSyncedScope(withoutContradictions(scope));
    await syncRandomly(synced, random, ROWS_MAX);
    await judgeRows(synced);
    for (let n = 0; n < CASES; n++) await judgeCase(synced, randomAsk(scope, random, ROWS_MAX), random);
    const { address } = synced;
    expect(await findPartitions(address, scope)).toEqual(
      expect.arrayContaining(await partitionsInTable(address.connectionId)),
    );
  });
});

const EVERY = { period: null, facets: {}, days: { from: null, to: null } };

test('a boleta shows when its month was last synchronized, and a sync that finds nothing new writes no row', async () => {
  const synced = await newSyncedScope(taxBoletas);
  const row = { ...ROW_MAKERS['tax.boletas']!(randomFrom(1), '2026-10', 1), day: 5 };
  const shown = async () =>
    (
      await readPage(
        { address: synced.address, scope: taxBoletas, filter: EVERY, offset: 0, limit: 50 },
        await findSummary(synced.address),
      )
    ).rows[0]!;
  expect(await synced.sync('2026-10', [row])).toEqual({ found: 1, created: 1, updated: 0 });
  const first = await shown();
  const before = (await findSummary(synced.address))['2026-10']!;
  await expect
    .poll(async () => {
      expect(await synced.sync('2026-10', [row])).toEqual({ found: 1, created: 0, updated: 0 });
      return (await shown()).updated_at;
    })
    .not.toBe(first.updated_at);
  const after = (await findSummary(synced.address))['2026-10']!;
  expect({ ...after, syncedAt: before.syncedAt }).toEqual(before);
  expect(await shown()).toMatchObject({ ...first, updated_at: after.syncedAt });
  expect(await synced.sync('2026-10', [{ ...row, total_amount: '5' }])).toEqual({ found: 1, created: 0, updated: 1 });
});

test('a movement whose sign the bank corrects moves, and is stored once', async () => {
  const synced = await newSyncedScope(banktwoMovements);
  const row = {
    ...ROW_MAKERS['banktwo.movements']!(randomFrom(1), '2026-10', 1),
    direction: 'issued',
    amount: '-5',
    tipo: 'C',
  };
  const other = ROW_MAKERS['banktwo.movements']!(randomFrom(2), '2026-10', 2);
  await synced.sync('2026-10', [row, other]);
  const corrected = { ...row, direction: 'received', amount: '5', tipo: 'A', fecha_movimiento: '2026-10-02' };
  expect(await synced.sync('2026-10', [corrected, other])).toMatchObject({ found: 2, updated: 1, corrected: 1 });
  await judgeRows(synced);
});

test('an account first seen by a worker that died is found by the repair', async () => {
  const balance = (numero_cuenta: string): Row => ({
    numero_cuenta,
    currency: 'CLP',
    observed_at: '2026-10-05T15:00:00.000Z',
    saldo_contable: numero_cuenta,
    saldo_disponible: null,
    saldo_provisorio: null,
  });
  const synced = await newSyncedScope(bankoneBalances);
  const { address } = synced;
  await synced.sync('now', [balance('1'), balance('2')]);
  const key = keys.period(address, '2026-10');
  const [index, summary] = [await table.get(key), await table.get(keys.summary(address))];
  await synced.sync('now', [balance('3')]);
  // The state when the worker dies after its rows: marked dirty, rows written, and the previous index.
  await table.put({ ...index!, dirty: true, touched: new Set(['3.CLP']) });
  await table.put(summary!);

  await reindex(address, bankoneBalances, '2026-10', synced.lease);
  const latest = await readLatest(address, bankoneBalances, EVERY, await findSummary(address));
  expect(latest.map((row) => row.saldo_contable).sort()).toEqual(['1', '2', '3']);
  expect(await dirtyPeriods(address)).toEqual([]);
});
