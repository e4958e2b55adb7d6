/**
 * Dozens of stored rows that are different in a later reading: the reading is refused at first, and accepted when it
 * repeats for long enough.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { newRow } from '#shared/rows/item/row-items.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { heldRows, type WaitingRows } from '#shared/rows/write/pending-rows.ts';
import { RowsRewritten } from '#shared/rows/write/renumbered.rules.ts';
import { writePeriod } from '#shared/rows/write/write-period.ts';
import { banktwoMovements } from '#shared/scopes/banktwo-movements.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { happened, newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';
import { freshly, idsOf, movements, PERIOD, shown, synced } from './numbered-rows.ts';

let server: EngineTable;
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());

describe('a wrong first reading of dozens of movements', () => {
  const right = movements(40, 0, 100);
  const HOUR_MS = 3_600_000;
  let clockMs = Date.parse('2026-11-20T12:00:00.000Z');
  const later = ({ lease }: SyncedScope, hours: number): void => {
    clockMs += hours * HOUR_MS;
    lease.expiresAtMs = clockMs + SYNC_LIMITS.leaseMs;
  };
  beforeEach(() => plantClock(() => clockMs));
  afterEach(() => plantClock(undefined));

  /** An answer that repeats within hours is refused again: it may be the same mistake. */
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

  test('heals a day later if only their first reading was wrong, though the month was read before', async () => {
    const scope = await newSyncedScope(banktwoMovements);
    for (let n = 0; n < 2; n++) await synced(scope, movements(40));
    const further = movements(55);
    await synced(scope, [...movements(40), ...movements(55, 0, 100).slice(40)]);
    await expect(synced(scope, further)).rejects.toThrow(RowsRewritten);
    later(scope, 20);
    expect(await synced(scope, further)).toMatchObject({ updated: 15, rewritten: 15 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, further));
  });

  test.each<[string, (rows: Row[]) => Row[]]>([
    [
      'a late booking moves the balances',
      (rows) => [
        ...rows.map((row) => ({ ...row, saldo_contable: `${Number(row.saldo_contable) + 7}` })),
        { ...rows[0]!, amount: '7', saldo_contable: '7', movement_number: '900' },
      ],
    ],
    ['further numbers show others, too', (rows) => [...rows.slice(0, 30), ...right.slice(30)]],
  ])('heals after its week, though %s meanwhile', async (_, change) => {
    const first = change === undefined ? right : [...right.slice(0, 30), ...movements(40).slice(30)];
    const scope = await newSyncedScope(banktwoMovements);
    for (let n = 0; n < 2; n++) await synced(scope, movements(40));
    await expect(synced(scope, first)).rejects.toThrow(RowsRewritten);
    later(scope, 3 * 24);
    await expect(synced(scope, change(first))).rejects.toThrow(RowsRewritten);
    later(scope, 4 * 24);
    expect(await synced(scope, change(first))).toHaveProperty('rewritten');
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, change(first)));
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
  ])('stays when each reading says something else', async (_, corrected) => {
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

  test('is repaired by the run that was accepted, though its first worker died halfway', async () => {
    // More rows than all lanes write at once: the last rows are opened while others are written.
    const count = ROW_LIMITS.rowsPerWrite * TABLE_LIMITS.tableParallelMax + 20;
    const scope = await newSyncedScope(banktwoMovements);
    await synced(scope, movements(count));
    await expect(synced(scope, movements(count, 0, 100))).rejects.toThrow(RowsRewritten);
    later(scope, 24);
    const { address, lease } = scope;
    const came = heldRows(
      movements(count, 0, 100).map((row) =>
        newRow(address.connectionId, banktwoMovements, {
          row: banktwoMovements.parsed.parse(row),
          raw: {},
          answerId: 'raw',
        }),
      ),
    );
    const write = (runId: string, rows: WaitingRows) =>
      writePeriod({ address, scope: banktwoMovements, runId, lease, period: PERIOD }, rows, { recognizes: true }).then(
        happened,
      );
    let lastOpened = 0;
    const dying: WaitingRows = {
      ...came,
      open: (rows) => {
        // All rows are opened once to compare them, and once more to write them.
        if (rows.length < ROW_LIMITS.rowsPerWrite && ++lastOpened > 1) throw new Error('died');
        return came.open(rows);
      },
    };
    await expect(write('believed', dying)).rejects.toThrow('died');
    const halfway = await shown(scope);
    expect(halfway).not.toEqual(await freshly(banktwoMovements, movements(count)));
    expect(halfway).not.toEqual(await freshly(banktwoMovements, movements(count, 0, 100)));
    // First only the rest is written, then nothing: both times the result reports all rows.
    for (let n = 0; n < 2; n++)
      expect(await write('believed', came)).toMatchObject({ found: count, updated: count, rewritten: count });
    expect(await write('later', came)).toEqual({ found: count, created: 0, updated: 0 });
    expect(await shown(scope)).toEqual(await freshly(banktwoMovements, movements(count, 0, 100)));
  });
});
