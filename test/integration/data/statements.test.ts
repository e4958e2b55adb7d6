/**
 * An open month and its closed statement: which rows a complete statement replaces, and correct sums before and after.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSummary } from '#shared/rows/index/page-index.store.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import { readPage } from '#shared/rows/read/read-page.store.ts';
import { writePeriod } from '#shared/rows/write/write-period.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { accountKey } from '#shared/values/statements.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { happened, newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

const PERIOD = '2026-10';
const ACCOUNT = '001230045607';

const movement = (documento: string, amount: string, changes: Row = {}): Row => ({
  period: PERIOD,
  numero_cuenta: ACCOUNT,
  currency: 'CLP',
  fecha_movimiento: '2026-10-05',
  descripcion: 'TRANSFERENCIA',
  documento,
  amount,
  saldo_contable: null,
  tipo: amount.startsWith('-') ? 'C' : 'A',
  direction: amount.startsWith('-') ? 'issued' : 'received',
  ordinal: 0,
  provisional: false,
  ...changes,
});
const open = (row: Row): Row => ({ ...row, provisional: true });

const shown = async ({ address }: SyncedScope, facets: Row = {}) => {
  const filter = { period: PERIOD, facets, days: { from: null, to: null } };
  const { rows, total } = await readPage(
    { address, scope: bankoneMovements, filter, offset: 0, limit: 200 },
    await findSummary(address),
  );
  expect(total).toBe(rows.length);
  return rows;
};
const documents = async (synced: SyncedScope) => (await shown(synced)).map(({ documento }) => documento).sort();
const sum = (rows: Row[]): number => rows.reduce((total, { amount }) => total + Number(amount), 0);

test('a field that an answer does not carry keeps what the list row holds, and the same again writes no row', async () => {
  const lenient = { ...bankoneMovements, parsed: bankoneMovements.parsed.partial({ saldo_contable: true }) };
  const synced = await newSyncedScope(lenient);
  await synced.sync(PERIOD, [movement('1', '100', { saldo_contable: '500' })]);
  const { saldo_contable: _, ...bare } = movement('1', '100');
  expect(await synced.sync(PERIOD, [bare])).toEqual({ found: 1, created: 0, updated: 0, completed: 1 });
  expect(await shown(synced)).toMatchObject([{ saldo_contable: '500' }]);
  const changed = { ...bare, descripcion: 'Transf.' };
  expect(await synced.sync(PERIOD, [changed])).toEqual({ found: 1, created: 0, updated: 1, completed: 1 });
  expect(await shown(synced)).toMatchObject([{ saldo_contable: '500', descripcion: 'Transf.' }]);
  expect(await synced.sync(PERIOD, [changed])).toEqual({ found: 1, created: 0, updated: 0, completed: 1 });
  // The partition of a row depends on its direction.
  const moved = { ...changed, direction: 'issued' };
  expect(await synced.sync(PERIOD, [moved])).toEqual({ found: 1, created: 0, updated: 1, completed: 1 });
  expect(await shown(synced)).toMatchObject([{ saldo_contable: '500', direction: 'issued' }]);
  // Null is not absent.
  expect(await synced.sync(PERIOD, [{ ...moved, saldo_contable: null }])).toMatchObject({ updated: 1 });
  expect(await shown(synced)).toMatchObject([{ saldo_contable: null }]);
});

describe('a month that closes', () => {
  test('keeps what the statement shows, drops what it does not, adds what came late', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    const rows = [movement('1', '100'), movement('2', '-30'), movement('3', '7')];
    expect(await synced.sync(PERIOD, rows.map(open))).toEqual({ found: 3, created: 3, updated: 0, isOpen: true });
    expect(sum(await shown(synced))).toBe(77);
    const before = await shown(synced);

    const closed = [rows[0]!, { ...rows[1]!, descripcion: 'Transf.' }, movement('4', '-2.50')];
    expect(await synced.sync(PERIOD, closed, [ACCOUNT])).toEqual({ found: 3, created: 1, updated: 1, removed: 1 });
    expect(await documents(synced)).toEqual(['1', '2', '4']);
    expect(sum(await shown(synced))).toBe(67.5);
    expect((await shown(synced, { direction: 'issued' })).map(({ documento }) => documento).sort()).toEqual(['2', '4']);
    const kept = (list: Row[]) => list.find(({ documento }) => documento === '1');
    expect(kept(await shown(synced))).toEqual(kept(before));
    expect(await synced.sync(PERIOD, closed, ['1230045607'])).toEqual({ found: 3, created: 0, updated: 0 });
  });

  test('replaces what an earlier closed statement left, and nothing of another account or month', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    const other = { numero_cuenta: '501230000819' };
    const before = movement('7', '1', { period: '2026-09', fecha_movimiento: '2026-09-05' });
    await synced.sync('2026-09', [before], [ACCOUNT]);
    await synced.sync(PERIOD, [open(movement('1', '100')), open(movement('9', '1', other))]);
    await synced.sync(PERIOD, [movement('1', '100'), movement('2', '5'), movement('8', '1', other)], [ACCOUNT]);
    const right = [movement('1', '100'), movement('3', '4')];
    expect(await synced.sync(PERIOD, right, [ACCOUNT])).toEqual({
      found: 2,
      created: 1,
      updated: 0,
      removed: 1,
      isOpen: true,
    });
    expect(await documents(synced)).toEqual(['1', '3', '8', '9']);
    expect(await synced.sync(PERIOD, right, [ACCOUNT])).toEqual({ found: 2, created: 0, updated: 0, isOpen: true });
    const kept = await readPage(
      {
        address: synced.address,
        scope: bankoneMovements,
        filter: { period: '2026-09', facets: {}, days: { from: null, to: null } },
        offset: 0,
        limit: 200,
      },
      await findSummary(synced.address),
    );
    expect(kept.rows.map(({ documento }) => documento)).toEqual(['7']);
  });

  test('drops nothing as long as nobody says that the statement is closed', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await synced.sync(PERIOD, [open(movement('1', '100')), open(movement('2', '5'))]);
    await synced.sync(PERIOD, [open(movement('1', '100'))]);
    await synced.sync(PERIOD, [movement('3', '1')]);
    expect(await documents(synced)).toEqual(['1', '2', '3']);
  });

  test('a statement without rows removes nothing, and is reported', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await synced.sync(PERIOD, [open(movement('1', '100'))]);
    const nothing = { found: 0, created: 0, updated: 0, isOpen: true };
    expect(await synced.sync(PERIOD, [], [ACCOUNT])).toEqual({ ...nothing, emptied: 1, unread: [accountKey(ACCOUNT)] });
    expect(await documents(synced)).toEqual(['1']);
  });

  test('an open reading that comes after it changes nothing, and its rows are reported and not found', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await synced.sync(PERIOD, [movement('1', '100')], [ACCOUNT]);
    const late = [open(movement('1', '100', { descripcion: 'other' })), open(movement('2', '5'))];
    expect(await synced.sync(PERIOD, late)).toEqual({ found: 0, created: 0, updated: 0, ignored: 2 });
    expect((await shown(synced)).map(({ descripcion }) => descripcion)).toEqual(['TRANSFERENCIA']);
  });

  test('a month that is not over has no closed statement: its open reading is accepted despite wrong closed rows', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    const running = santiagoPeriod(Date.now());
    const inMonth = (documento: string) =>
      movement(documento, '1', { period: running, fecha_movimiento: `${running}-01` });
    await synced.sync(running, [inMonth('1')], [ACCOUNT]);
    const read = [open(inMonth('1')), open(inMonth('2'))];
    expect(await synced.sync(running, read)).toEqual({ found: 2, created: 1, updated: 0, isOpen: true });
  });

  test('two equal payments of a day are two rows, open and closed', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    const twins = [movement('1', '-10', { ordinal: 0 }), movement('1', '-10', { ordinal: 1 })];
    await synced.sync(PERIOD, twins.map(open));
    await synced.sync(PERIOD, twins, [ACCOUNT]);
    expect(sum(await shown(synced))).toBe(-20);
  });

  test('is made good when its worker died between writing and deleting, and counted once', async () => {
    const { address, lease } = await newSyncedScope(bankoneMovements);
    const runId = randomUUID();
    const write = (rows: Row[], closed: string[], by = runId) =>
      writePeriod(
        { address, scope: bankoneMovements, runId: by, lease, period: PERIOD },
        rows.map((row) => newRow(address.connectionId, bankoneMovements, { row, raw: {}, answerId: randomUUID() })),
        { closed },
      ).then(happened);
    await write([movement('1', '100'), movement('2', '5')].map(open), [], randomUUID());
    const pk = keys.rows(address, PERIOD, 'received');
    const before = await table.query(pk);
    await write([movement('1', '100'), movement('3', '1')], [ACCOUNT]);
    // The deleted row is back, as if the worker had died before it was deleted.
    await table.batchWrite({ puts: before.filter(({ row }) => String(row).includes('"documento":"2"')) });
    expect(await write([movement('1', '100'), movement('3', '1')], [ACCOUNT])).toEqual({
      found: 2,
      created: 1,
      updated: 0,
      removed: 1,
    });
    expect((await table.query(pk)).map(({ row }) => JSON.parse(String(row)).documento).sort()).toEqual(['1', '3']);
  });
});

describe('a closed statement in doubt', () => {
  const inDoubt = (synced: SyncedScope, rows: Row[]) => synced.sync(PERIOD, rows.map(open), [], false, [ACCOUNT]);
  const other = movement('8', '1', { numero_cuenta: '501230000819' });

  test('is stored if nothing is stored yet, and the same again changes nothing', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await synced.sync(PERIOD, [open(other)]);
    const rows = [movement('1', '100'), movement('2', '-30')];
    expect(await inDoubt(synced, rows)).toEqual({ found: 2, created: 2, updated: 0, isOpen: true });
    expect(await inDoubt(synced, rows)).toEqual({ found: 2, created: 0, updated: 0, isOpen: true });
    expect(await documents(synced)).toEqual(['1', '2', '8']);
  });

  test('that shows all that is stored adds the rest, as after half of it was written, and changes nothing', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await synced.sync(PERIOD, [open(movement('1', '100', { currency: 'USD', saldo_contable: '500' }))]);
    const before = await shown(synced);
    const rows = [movement('1', '100', { descripcion: 'other', saldo_contable: '7' }), movement('2', '-30')];
    expect(await inDoubt(synced, rows)).toEqual({ found: 2, created: 1, updated: 0, isOpen: true });
    expect((await shown(synced)).filter(({ documento }) => documento === '1')).toEqual(before);
    expect(await documents(synced)).toEqual(['1', '2']);
  });

  test('that does not show all stored rows is left out, and reported', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await synced.sync(PERIOD, [open(movement('1', '100')), open(movement('2', '-30'))]);
    const before = await shown(synced);
    const rows = [movement('1', '100', { descripcion: 'other' }), movement('3', '-30')];
    const read = [...rows, other].map(open);
    const counts = await synced.sync(PERIOD, read, [], false, [ACCOUNT]);
    const others = { doubtful: 2, isOpen: true, unread: [accountKey(ACCOUNT)] };
    expect(counts).toEqual({ found: 1, created: 1, updated: 0, ...others });
    expect((await shown(synced)).filter(({ numero_cuenta }) => numero_cuenta === ACCOUNT)).toEqual(before);
  });

  test('is replaced by a complete one', async () => {
    const synced = await newSyncedScope(bankoneMovements);
    await inDoubt(synced, [movement('1', '100'), movement('2', '-30')]);
    await synced.sync(PERIOD, [movement('1', '100'), movement('3', '-30')], [ACCOUNT]);
    expect(await documents(synced)).toEqual(['1', '3']);
  });
});
