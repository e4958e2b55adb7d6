/** Lies that the code of before stored, and what one right sync makes of them: the rows of a fresh connection. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listedRows } from '#shared/data/row-partitions.ts';
import { RowsRewritten } from '#shared/domain/renumbered.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';

let server: TestTable;
beforeAll(async () => {
  server = await startTable();
});
afterAll(() => server.stop());

const PERIOD = '2026-10';

/** Days of 20 movements; each balance is the one before and the amount. */
const movements = (count: number, shift = 0, factor = 1): Row[] =>
  Array.from({ length: count }, (_, n) => {
    const day = `${PERIOD}-${String(1 + Math.floor(n / 20)).padStart(2, '0')}`;
    return {
      period: PERIOD,
      numero_cuenta: '0-000-0456789-1',
      fecha_movimiento: day,
      fecha_contable: day,
      descripcion: `Movimiento ${n}`,
      amount: String((n + 1) * factor),
      saldo_contable: String(((n + 1) * (n + 2) * factor) / 2),
      tipo: 'A',
      mnemonico: 'TEFR',
      direction: 'received',
      category: null,
      counterparty_name: null,
      counterparty_rut: null,
      counterparty_bank: null,
      counterparty_account: null,
      movement_number: String(n + 1 + shift),
    };
  });

const transfers = (count: number): Row[] =>
  Array.from({ length: count }, (_, n) => ({
    period: PERIOD,
    direction: 'received',
    transferred_at: `${PERIOD}-10T12:${String(n).padStart(2, '0')}:00.000Z`,
    amount: String(1_000 + n),
    numero_transaccion: String(7_000 + n),
    currency: 'CLP',
    subject: null,
    counterparty_rut: '76543210-3',
    counterparty_name: 'INVENTOS SA',
    counterparty_bank: 'BANCO DOS',
  }));

/** As the code of before wrote it: the number alone says which row it is. */
const syncedBefore = ({ sync }: SyncedScope, rows: Row[]) => sync(PERIOD, rows);
const synced = ({ sync }: SyncedScope, rows: Row[]) => sync(PERIOD, rows, [], true);

const idsOf = async ({ address, scope }: SyncedScope): Promise<Map<string, string>> => {
  const rows = new Map<string, string>();
  await listedRows(address, scope, PERIOD, (id, { id: _, ...row }) => rows.set(id, JSON.stringify(row)));
  return rows;
};
const shown = async (scope: SyncedScope): Promise<string[]> => [...(await idsOf(scope)).values()].sort();

const freshly = async (definition: SyncedScope['scope'], rows: Row[]): Promise<string[]> => {
  const fresh = await newSyncedScope(definition);
  await synced(fresh, rows);
  return shown(fresh);
};

describe('movements whose numbers a lie shifted', () => {
  test.each([
    [1, 117],
    [500, 222],
  ])('by %s, of 111 stored as %s: one right sync heals, and the next one writes nothing', async (shift, count) => {
    const scope = await newSyncedScope(banktwoMovements);
    await syncedBefore(scope, movements(111));
    await syncedBefore(scope, movements(111, shift));
    expect(await shown(scope)).toHaveLength(count);
    expect(await synced(scope, movements(111))).toMatchObject({ found: 111, replaced: count - 111 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, movements(111)));
    expect(await synced(scope, movements(111))).toEqual(
      expect.objectContaining({ found: 111, created: 0, updated: 0 }),
    );
    expect(await shown(scope)).toHaveLength(111);
  });

  test('now: each stays the row it was, and further ones are new', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(70));
    const before = await idsOf(scope);
    expect(await synced(scope, movements(70, 1))).toEqual({ found: 70, created: 0, updated: 0, renumbered: 70 });
    expect(await idsOf(scope)).toEqual(before);
    expect(await synced(scope, movements(75, 1))).toMatchObject({ found: 75, created: 5, updated: 0, renumbered: 70 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, movements(75)));
  });
});

test('dozens of numbers under which other movements come: nothing is written', async () => {
  const scope = await newSyncedScope(banktwoMovements);
  await synced(scope, movements(40));
  const before = await idsOf(scope);
  await expect(synced(scope, movements(40, 0, 100))).rejects.toThrow(RowsRewritten);
  expect(await idsOf(scope)).toEqual(before);
});

test('a few are written, and counted', async () => {
  const scope = await newSyncedScope(banktwoMovements);
  await synced(scope, movements(40));
  const few = movements(40).map((row, n) => (n < 3 ? { ...row, amount: '7', saldo_contable: String(9_000 + n) } : row));
  expect(await synced(scope, few)).toEqual({ found: 40, created: 0, updated: 3, rewritten: 3 });
});

describe('transfers', () => {
  test('that copies hid come with the next right sync', async () => {
    const scope = await newSyncedScope(bankoneTransfers);
    const right = transfers(34);
    await syncedBefore(scope, right.slice(0, 4));
    await synced(scope, right);
    expect(await shown(scope)).toEqual(await freshly(bankoneTransfers, right));
  });

  test('that stand a second time under other numbers are there once again', async () => {
    const scope = await newSyncedScope(bankoneTransfers);
    const right = transfers(34);
    await syncedBefore(scope, right);
    await syncedBefore(
      scope,
      right.map((row, n) => ({ ...row, numero_transaccion: `X${n}` })),
    );
    expect(await shown(scope)).toHaveLength(68);
    expect(await synced(scope, right)).toMatchObject({ replaced: 34 });
    expect(await shown(scope)).toEqual(await freshly(bankoneTransfers, right));
  });
});
