/**
 * Wrong rows that an earlier version stored, and their repair by one right sync: the result equals the rows of a fresh
 * connection.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newRow } from '#shared/rows/item/row-items.ts';
import { RowsRewritten } from '#shared/rows/write/renumbered.rules.ts';
import { writePeriod } from '#shared/rows/write/write-period.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { newSyncedScope } from '#test/helpers/synced-scope.ts';
import { freshly, idsOf, movements, PERIOD, shown, synced, syncedBefore, transfers } from './numbered-rows.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

describe('movements whose numbers a wrong answer shifted', () => {
  test.each([
    [1, 117],
    [500, 111],
  ])('by %s, of 111 stored as %s: one right sync heals, and the next one writes nothing', async (shift, count) => {
    const scope = await newSyncedScope(banktwoMovements);
    await syncedBefore(scope, movements(111));
    await syncedBefore(scope, movements(111, shift));
    expect(await shown(scope)).toHaveLength(count);
    const removed = count > 111 ? { removed: count - 111 } : {};
    expect(await synced(scope, movements(111))).toMatchObject({ found: 111, ...removed });
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
    expect(await synced(scope, movements(75, 1))).toEqual({ found: 75, created: 5, updated: 0 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, movements(75)));
  });

  test('each number is reported once, and so are those of a month that grows with it', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(60));
    expect(await synced(scope, movements(70, 500))).toEqual({ found: 70, created: 10, updated: 0, renumbered: 60 });
    for (const count of [70, 80]) expect(await synced(scope, movements(count, 500))).not.toHaveProperty('renumbered');
    expect(await synced(scope, movements(80, 900))).toEqual({ found: 80, created: 0, updated: 0, renumbered: 80 });
    expect(await synced(scope, movements(80, 900))).toEqual({ found: 80, created: 0, updated: 0 });
  });

  test('numbers that belong to other rows by then are also reported once', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(60));
    expect(await synced(scope, movements(70, -10))).toMatchObject({ created: 10, renumbered: 60 });
    expect(await synced(scope, movements(70, -10))).toEqual({ found: 70, created: 0, updated: 0 });
  });

  test('numbers that change back and then again are reported again', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(20));
    for (let n = 0; n < 2; n++) {
      expect(await synced(scope, movements(20, 500))).toMatchObject({ renumbered: 20 });
      expect(await synced(scope, movements(20))).toEqual({ found: 20, created: 0, updated: 0 });
    }
  });

  test('a worker that dies before its report leaves it to the next one', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(20));
    const { address, lease } = scope;
    const rows = movements(20, 500).map((row) =>
      newRow(address.connectionId, banktwoMovements, {
        row: banktwoMovements.parsed.parse(row),
        raw: {},
        answerId: 'raw',
      }),
    );
    const write = (runId: string) =>
      writePeriod({ address, scope: banktwoMovements, runId, lease, period: PERIOD }, rows, { recognizes: true });
    for (const run of ['one', 'one', 'another']) expect(await write(run)).toMatchObject({ renumbered: 20 });
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

test('another movement under a number has nothing of the one before, where its own fields are blank', async () => {
  const scope = await newSyncedScope(banktwoMovements);
  const named = { counterparty_name: 'ACME SPA', counterparty_rut: '76543210-3', counterparty_account: '1' };
  await synced(
    scope,
    movements(40).map((row) => ({ ...row, ...named })),
  );
  const [first, ...rest] = movements(40);
  const { counterparty_name: _, counterparty_rut: __, counterparty_account: ___, ...fee } = first!;
  const { movement_number: ____, ...listed } = fee;
  const blank = { ...fee, amount: '7', saldo_contable: '9000' };
  const right = [blank, ...rest.map((row) => ({ ...row, ...named }))];
  for (const counts of [{ updated: 1, rewritten: 1 }, { updated: 0 }])
    expect(await synced(scope, right)).toEqual({ found: 40, created: 0, ...counts });
  const rows = [...(await idsOf(scope)).values()].map((text) => JSON.parse(text) as Row);
  expect(rows.filter(({ counterparty_name: name }) => name === null)).toEqual([
    {
      ...listed,
      amount: '7',
      saldo_contable: '9000',
      counterparty_name: null,
      counterparty_rut: null,
      counterparty_account: null,
    },
  ]);
  expect(rows).toHaveLength(40);
});

describe('transfers', () => {
  test('that copies hid come with the next right sync', async () => {
    const scope = await newSyncedScope(bankoneTransfers);
    const right = transfers(34);
    await syncedBefore(scope, right.slice(0, 4));
    await synced(scope, right);
    expect(await shown(scope)).toEqual(await freshly(bankoneTransfers, right));
  });

  test('that appear a second time under other numbers are single again', async () => {
    const scope = await newSyncedScope(bankoneTransfers);
    const right = transfers(34);
    await syncedBefore(scope, right);
    await syncedBefore(
      scope,
      right.map((row, n) => ({ ...row, numero_transaccion: `X${n}` })),
    );
    expect(await shown(scope)).toHaveLength(68);
    expect(await synced(scope, right)).toMatchObject({ removed: 34 });
    expect(await shown(scope)).toEqual(await freshly(bankoneTransfers, right));
  });
});
