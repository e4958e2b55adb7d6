/** What a reader of changes receives over HTTP: exactly what the lists show, and nothing if nothing changed. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contract } from '#functions/api/connections/list-changes/contract.ts';
import { handler } from '#functions/api/connections/list-changes/handler.ts';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import type { RowChange } from '#shared/rows/read/read-round.store.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import { bankoneNominas } from '#shared/scopes/bankone-nominas.ts';
import { type Row, type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { ofAnotherTable } from '#test/helpers/former-cursor.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';
import { startMirror } from '#test/helpers/mirror.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { PERIODS, ROW_MAKERS } from '#test/helpers/scope-rows.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const PERIOD = '2026-10';
const LISTED = SCOPES.filter(({ resource }) => resource !== null);

let server: EngineTable;
let caller: Credential;
beforeAll(async () => {
  server = await startEngineTable();
  useSharedSecretIssuer();
  caller = (await callersOf(ORGANIZATION))['access-token'];
});
afterAll(() => server.stop());

const ask = (id: string, query = '') => call(contract, handler, { ...caller, params: { id }, query });

const connect = async (scope: ScopeDefinition) => {
  const connectionId = await storeConnection(ORGANIZATION, scope.source);
  const owner = { organizationId: ORGANIZATION, connectionId };
  return { owner, connectionId, synced: await newSyncedScope(scope, owner) };
};

const rowsOf = (scope: ScopeDefinition, count: number, period = PERIOD): Row[] =>
  Array.from({ length: count }, (_, n) => ROW_MAKERS[scopeId(scope)]!(randomFrom(n), period, n));

/** Every row that the list shows. */
const listed = async (scope: ScopeDefinition, connectionId: string): Promise<Row[]> => {
  const path = `/connections/{id}/${scope.resource}`;
  const endpoint = ENDPOINTS.find((each) => each.path === path && each.method === 'GET')!;
  const rows: Row[] = [];
  for (let offset = 0; ; offset += 200) {
    const query = `limit=200&offset=${offset}`;
    const { body } = await call(endpoint, await handlerOf(endpoint.id), {
      ...caller,
      params: { id: connectionId },
      query,
    });
    rows.push(...body.data);
    if (!body.pagination.has_more) return rows;
  }
};

/** Without the fields that depend on the time of the sync, which are no change. */
const sorted = (scope: ScopeDefinition, rows: Iterable<Row>): Row[] =>
  [...rows]
    .map((row) => ({ ...row, ...(scope.derived ? scope.derived(row, '') : {}) }))
    .sort((a, b) => (String(a.id) < String(b.id) ? -1 : 1));

describe.each(LISTED.map((scope) => [scopeId(scope), scope] as const))('%s', (_id, scope) => {
  test('a copy built from its changes equals the list, with pages of any size', async () => {
    const random = randomFrom(11);
    const { owner, connectionId, synced } = await connect(scope);
    const mirrors = [1, 3, 200].map((limit) => ({ limit, mirror: startMirror(owner) }));
    for (let n = 0; n < 6; n++) {
      const period = random.pick(PERIODS);
      const rows = Array.from({ length: random.int(0, 20) }, () =>
        ROW_MAKERS[scopeId(scope)]!(random, period, random.int(1, 20)),
      );
      await synced.sync(period, rows);
      for (const { limit, mirror } of mirrors) if (random.chance(0.5)) await mirror.page(limit);
    }
    const shown = sorted(scope, await listed(scope, connectionId));
    for (const { limit, mirror } of mirrors) {
      await mirror.catchUp(limit);
      expect(sorted(scope, mirror.rows.values())).toEqual(shown);
      expect(await mirror.catchUp()).toEqual([]);
    }
  });

  test('a sync that finds nothing new changes nothing', async () => {
    const { owner, synced } = await connect(scope);
    const rows = rowsOf(scope, 10);
    await synced.sync(PERIOD, rows);
    const mirror = startMirror(owner);
    expect(await mirror.catchUp()).not.toEqual([]);
    await synced.sync(PERIOD, rows);
    expect(await mirror.catchUp()).toEqual([]);
  });
});

describe('a change', () => {
  test('is created once, updated where it changed, and names run, month and row', async () => {
    const { owner, connectionId, synced } = await connect(taxRcv);
    const [first, second, third] = rowsOf(taxRcv, 3);
    await synced.sync(PERIOD, [first!, second!]);
    const begun = await ask(connectionId, 'scope=rcv');
    expect(begun.status).toBe(200);
    expect(begun.body.data.map(({ change }: { change: string }) => change)).toEqual(['created', 'created']);
    expect(begun.body.feed).toEqual({ next_cursor: expect.any(String), has_more: false });

    await synced.sync(PERIOD, [first!, { ...second!, total_amount: '777' }, third!]);
    const next = await ask(connectionId, `scope=rcv&cursor=${begun.body.feed.next_cursor}`);
    const changes = next.body.data as { change: string; row: Row; sequence: number }[];
    expect(changes.map(({ change }) => change).sort()).toEqual(['created', 'updated']);
    expect(changes.find(({ change }) => change === 'updated')).toEqual({
      change: 'updated',
      scope: 'rcv',
      id: expect.any(String),
      sequence: expect.any(Number),
      period: PERIOD,
      row: expect.objectContaining({ total_amount: '777' }),
      key: null,
      sync_run_id: expect.any(String),
      changed_at: null,
    });
    expect(changes[0]!.sequence).toBeGreaterThan(begun.body.data[0].sequence);
    expect((await listed(taxRcv, connectionId)).map(({ id }) => id)).toContain(changes[0]!.row.id);
    expect(owner.connectionId).toBe(connectionId);
  });

  test('of a row that moves to another month gives its new month, and no removal', async () => {
    const { owner, synced } = await connect(taxRcv);
    const [row] = rowsOf(taxRcv, 1);
    await synced.sync(PERIOD, [row!]);
    const mirror = startMirror(owner);
    await mirror.catchUp();
    await synced.sync('2026-11', [{ ...row!, period: '2026-11' }]);
    const told = await mirror.catchUp();
    expect(told.map(({ change, period }: RowChange) => [change, period])).toEqual([['updated', '2026-11']]);
    expect(mirror.rows.size).toBe(1);
  });

  test('of payments is one of their batch', async () => {
    const { owner, synced } = await connect(bankoneNominas);
    const [row] = rowsOf(bankoneNominas, 1);
    const pago = { linea: 1, monto: '1000', currency: 'CLP', estado: 'PENDIENTE' };
    const nomina = { ...row!, pagos: [pago] };
    await synced.sync(PERIOD, [nomina]);
    const mirror = startMirror(owner);
    await mirror.catchUp();
    await synced.sync(PERIOD, [{ ...nomina, pagos: [{ ...pago, estado: 'RECHAZADO' }] }]);
    expect((await mirror.catchUp()).map(({ change, row }) => [change, row!.numero_nomina])).toEqual([
      ['updated', row!.numero_nomina],
    ]);
  });

  test('of a daily summary is no change where only the time of its sync is another', async () => {
    const { owner, synced } = await connect(taxBoletas);
    const rows = rowsOf(taxBoletas, 3);
    await synced.sync(PERIOD, rows);
    const mirror = startMirror(owner);
    await mirror.catchUp();
    await synced.sync(PERIOD, rows);
    expect(await mirror.catchUp()).toEqual([]);
  });
});

describe('a row that its closed statement does not show', () => {
  const ACCOUNT = '501230000818';
  const movement = (documento: string, provisional: boolean): Row => ({
    period: PERIOD,
    numero_cuenta: ACCOUNT,
    currency: 'CLP',
    fecha_movimiento: `${PERIOD}-05`,
    descripcion: 'Compra',
    documento,
    amount: '-100',
    saldo_contable: '1',
    tipo: 'C',
    direction: 'issued',
    ordinal: 0,
    provisional,
  });

  test('is deleted, with the fields that it was known by, also for who starts over with an old copy', async () => {
    const { owner, connectionId, synced } = await connect(bankoneMovements);
    await synced.sync(PERIOD, [movement('1', true), movement('2', true)]);
    const mirror = startMirror(owner);
    await mirror.catchUp();
    await synced.sync(PERIOD, [movement('1', false)], [ACCOUNT]);
    const { body } = await ask(connectionId, `cursor=${mirror.cursor}`);
    const [deleted, confirmed] = body.data;
    expect(deleted).toEqual({
      change: 'deleted',
      scope: 'movements',
      id: expect.any(String),
      sequence: confirmed.sequence,
      period: PERIOD,
      row: null,
      key: {
        period: PERIOD,
        numero_cuenta: ACCOUNT,
        fecha_movimiento: `${PERIOD}-05`,
        documento: '2',
        amount: '-100',
      },
      sync_run_id: expect.any(String),
      changed_at: expect.any(String),
    });
    // Reported again, because a worker that froze may have written the row before it was confirmed.
    expect(confirmed).toMatchObject({ change: 'updated', row: { documento: '1' } });
    mirror.cursor = null;
    await mirror.catchUp();
    expect([...mirror.rows.values()].map(({ documento }) => documento)).toEqual(['1']);
  });

  test('goes with many others in transactions of the lease, each with a tombstone', async () => {
    const { owner, synced } = await connect(bankoneMovements);
    const many = Array.from({ length: 2 * ROW_LIMITS.rowsRemovedAtOnce + 3 }, (_, n) => movement(String(n + 1), true));
    await synced.sync(PERIOD, many);
    const mirror = startMirror(owner);
    await mirror.catchUp();
    const left = movement('0', false);
    expect(await synced.sync(PERIOD, [left], [ACCOUNT])).toMatchObject({ removed: many.length });
    const told = await mirror.catchUp(7);
    expect(told.filter(({ change }) => change === 'deleted')).toHaveLength(many.length);
    expect([...mirror.rows.values()].map(({ documento }) => documento)).toEqual(['0']);
  });

  test('is not removed by a worker that lost its lease', async () => {
    const { synced } = await connect(bankoneMovements);
    await synced.sync(PERIOD, [movement('1', true)]);
    const { organizationId, connectionId, scope } = synced.address;
    await table.update(keys.lease(organizationId, connectionId, scope), { add: { fence: 1 } });
    await expect(synced.sync(PERIOD, [movement('2', false)], [ACCOUNT])).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(await listed(bankoneMovements, connectionId)).toHaveLength(1);
  });
});

describe('a cursor', () => {
  test.each([
    ['is none', () => 'bm9uZQ'],
    ['is of another scope', (cursor: string) => `${cursor}&scope=boletas`],
  ])('that %s is refused', async (_, change) => {
    const { connectionId, synced } = await connect(taxRcv);
    await synced.sync(PERIOD, rowsOf(taxRcv, 1));
    const { body } = await ask(connectionId);
    const answer = await ask(connectionId, `cursor=${change(body.feed.next_cursor)}`);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'validation_error']);
  });

  test('of another connection is refused, and one of a table before it was restored has expired', async () => {
    const { connectionId } = await connect(taxRcv);
    const other = await ask((await connect(taxRcv)).connectionId);
    const foreign = await ask(connectionId, `cursor=${other.body.feed.next_cursor}`);
    expect([foreign.status, foreign.body.error.code]).toEqual([400, 'validation_error']);

    const { body } = await ask(connectionId);
    const former = ofAnotherTable(body.feed.next_cursor);
    const expired = await ask(connectionId, `cursor=${former}`);
    expect([expired.status, expired.body.error.code]).toEqual([410, 'cursor_expired']);
  });

  test('of a connection that is not there is not looked at', async () => {
    const answer = await ask(randomUUID(), 'cursor=x');
    expect([answer.status, answer.body.error.code]).toEqual([404, 'connection_not_found']);
  });
});

test('in more periods than a page may read all arrive, on pages of which some are empty', async () => {
  const { owner, synced } = await connect(taxRcv);
  const months = Array.from(
    { length: 130 },
    (_, n) => `${2012 + Math.floor(n / 12)}-${String((n % 12) + 1).padStart(2, '0')}`,
  );
  for (const period of months)
    await synced.sync(
      period,
      rowsOf(taxRcv, 1, period).map((row) => ({ ...row, folio: period })),
    );
  const mirror = startMirror(owner);
  await mirror.catchUp(200);
  expect(mirror.rows.size).toBe(months.length);
  // All rows move to one month; the other months are left with an index and no rows.
  const moved = months.map((period) => ({ ...rowsOf(taxRcv, 1, months[0]!)[0]!, folio: period }));
  await synced.sync(months[0]!, moved);
  const told = await mirror.catchUp(200);
  expect(told).toHaveLength(months.length - 1);
  const again = startMirror(owner);
  await again.catchUp(200);
  expect(again.rows.size).toBe(months.length);
});
