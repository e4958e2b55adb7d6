/** Lies that the code of before stored, and what one right sync makes of them: the rows of a fresh connection. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newRow } from '#shared/data/row-items.ts';
import { listedRows } from '#shared/data/row-partitions.ts';
import { writePeriod } from '#shared/data/rows.ts';
import { heldRows, type WaitingRows } from '#shared/data/waiting-rows.ts';
import { RowsRewritten } from '#shared/domain/renumbered.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
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
    expect(await synced(scope, movements(75, 1))).toEqual({ found: 75, created: 5, updated: 0 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, movements(75)));
  });

  test('each number is told once, and those of a month that grows with it', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(60));
    expect(await synced(scope, movements(70, 500))).toEqual({ found: 70, created: 10, updated: 0, renumbered: 60 });
    for (const count of [70, 80]) expect(await synced(scope, movements(count, 500))).not.toHaveProperty('renumbered');
    expect(await synced(scope, movements(80, 900))).toEqual({ found: 80, created: 0, updated: 0, renumbered: 80 });
    expect(await synced(scope, movements(80, 900))).toEqual({ found: 80, created: 0, updated: 0 });
  });

  test('numbers that belong to other rows by then are told once, too', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(60));
    expect(await synced(scope, movements(70, -10))).toMatchObject({ created: 10, renumbered: 60 });
    expect(await synced(scope, movements(70, -10))).toEqual({ found: 70, created: 0, updated: 0 });
  });

  test('numbers that go back and change once more are told once more', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(20));
    for (let n = 0; n < 2; n++) {
      expect(await synced(scope, movements(20, 500))).toMatchObject({ renumbered: 20 });
      expect(await synced(scope, movements(20))).toEqual({ found: 20, created: 0, updated: 0 });
    }
  });

  test('a worker that dies before it tells them leaves them to the next one', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(20));
    const { address, lease } = scope;
    const rows = movements(20, 500).map((row) =>
      newRow(address.connectionId, banktwoMovements, banktwoMovements.parsed.parse(row), {}, 'raw'),
    );
    const write = (runId: string) =>
      writePeriod({ address, scope: banktwoMovements, runId, lease }, PERIOD, rows, true, { recognizes: true });
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

describe('a first reading that was a lie, of dozens of movements', () => {
  const right = movements(40, 0, 100);
  const HOUR_MS = 3_600_000;
  let clockMs = Date.parse('2026-11-20T12:00:00.000Z');
  const later = ({ lease }: SyncedScope, hours: number): void => {
    clockMs += hours * HOUR_MS;
    lease.expiresAtMs = clockMs + LIMITS.leaseMs;
  };
  beforeEach(() => plantClock(() => clockMs));
  afterEach(() => plantClock(undefined));

  /** Repeated within minutes the same answer is refused again: it may be the same mistake. */
  const refusedTwice = async (scope: SyncedScope): Promise<void> => {
    await expect(synced(scope, right)).rejects.toThrow(RowsRewritten);
    later(scope, 19);
    await expect(synced(scope, right)).rejects.toThrow(RowsRewritten);
  };

  test('heals when the same right one comes a day later, and further movements with it', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(40));
    await refusedTwice(scope);
    later(scope, 1);
    const grown = movements(45, 0, 100);
    expect(await synced(scope, grown)).toMatchObject({ found: 45, created: 5, updated: 40, rewritten: 40 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, grown));
    expect(await synced(scope, grown)).toEqual({ found: 45, created: 0, updated: 0 });
  });

  test('heals after a week where the stored rows were read a second time', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    for (let n = 0; n < 2; n++) await synced(scope, movements(40));
    await refusedTwice(scope);
    for (let day = 1; day < 7; day++) {
      later(scope, 24);
      await expect(synced(scope, right)).rejects.toThrow(RowsRewritten);
    }
    later(scope, 5);
    expect(await synced(scope, right)).toMatchObject({ updated: 40, rewritten: 40 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, right));
  });

  test('stays when each reading says something else', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(40));
    const before = await idsOf(scope);
    for (const factor of [100, 200, 300]) {
      await expect(synced(scope, movements(40, 0, factor))).rejects.toThrow(RowsRewritten);
      later(scope, 24);
    }
    expect(await idsOf(scope)).toEqual(before);
  });

  test.each([
    ['the stored ones', 0],
    ['a few corrections', 3],
  ])('counts as never seen after a reading of %s', async (_, corrected) => {
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(40));
    await refusedTwice(scope);
    const between = movements(40).map((row, n) =>
      n < corrected ? { ...row, amount: '7', saldo_contable: String(9_000 + n) } : row,
    );
    await synced(scope, between);
    later(scope, 8 * 24);
    await expect(synced(scope, right)).rejects.toThrow(RowsRewritten);
  });

  test('is put right by the run that was believed, though its first worker died halfway', async () => {
    // More than all lanes write at once: the last rows are opened when others are written.
    const count = LIMITS.rowsPerWrite * LIMITS.tableParallelMax + 20;
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(count));
    await expect(synced(scope, movements(count, 0, 100))).rejects.toThrow(RowsRewritten);
    later(scope, 24);
    const { address, lease } = scope;
    const came = heldRows(
      movements(count, 0, 100).map((row) =>
        newRow(address.connectionId, banktwoMovements, banktwoMovements.parsed.parse(row), {}, 'raw'),
      ),
    );
    const write = (runId: string, rows: WaitingRows) =>
      writePeriod({ address, scope: banktwoMovements, runId, lease }, PERIOD, rows, true, { recognizes: true });
    let lastOpened = 0;
    const dying: WaitingRows = {
      ...came,
      open: (rows) => {
        // All are opened once to be compared, and once more to be written.
        if (rows.length < LIMITS.rowsPerWrite && ++lastOpened > 1) throw new Error('died');
        return came.open(rows);
      },
    };
    await expect(write('believed', dying)).rejects.toThrow('died');
    const halfway = await shown(scope);
    expect(halfway).not.toEqual(await freshly(banktwoMovements, movements(count)));
    expect(halfway).not.toEqual(await freshly(banktwoMovements, movements(count, 0, 100)));
    // The rest alone is written, and again nothing: each time the whole is told.
    for (let n = 0; n < 2; n++)
      expect(await write('believed', came)).toMatchObject({ found: count, updated: count, rewritten: count });
    expect(await write('later', came)).toEqual({ found: count, created: 0, updated: 0 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, movements(count, 0, 100)));
  });
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
