/**
 * Facts that do not change under one key: a few corrections are stored, many changes in one answer are held back until a
 * later reading shows the same.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import type { LastReading } from '#shared/rows/write/doubts.store.ts';
import { FactsContradicted } from '#shared/rows/write/hold-facts.ts';
import { bankoneTransfers } from '#shared/scopes/bankone-transfers.ts';
import type { Row } from '#shared/scopes/scope.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { CHANGE_LIMITS } from '#shared/values/limits.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { newSyncedScope, type SyncedScope } from '#test/helpers/synced-scope.ts';
import { freshly, PERIOD, shown, transfers } from './numbered-rows.ts';

const HOUR_MS = 3_600_000;
const COUNT = 20;
const right = transfers(COUNT);
/** The first rows with ten times the amount. */
const wrong = (count: number): Row[] =>
  right.map((row, n) => (n < count ? { ...row, amount: `${row.amount as string}0` } : row));

let server: EngineTable;
let clockMs = Date.parse('2026-11-20T12:00:00.000Z');
beforeAll(async () => {
  server = await startEngineTable();
});
afterAll(() => server.stop());
beforeEach(() => plantClock(() => clockMs));
afterEach(() => plantClock(undefined));

/** Reads as a run does: once, and a second time if the first reading is refused. */
const createReader = async (scope?: SyncedScope) => {
  const synced = scope ?? (await newSyncedScope(bankoneTransfers));
  let last: LastReading = { runId: null, isDoubted: false };
  let asked = 0;
  const write = (rows: readonly Row[], isSecondReading: boolean, runId: string) => {
    const facts = { isSecondReading, findLastReading: async () => last };
    return synced.write(PERIOD, rows, { recognizes: true, facts }, runId);
  };
  const read = async (rows: readonly Row[]) => {
    const runId = randomUUID();
    asked = 1;
    const counts = await write(rows, false, runId).catch((error: unknown) => {
      if (!(error instanceof FactsContradicted)) throw error;
      asked = 2;
      return write(rows, true, runId);
    });
    last = { runId, isDoubted: (counts.held ?? 0) > 0 };
    return counts;
  };
  const later = (hours: number): void => {
    clockMs += hours * HOUR_MS;
    synced.lease.expiresAtMs = clockMs + SYNC_LIMITS.leaseMs;
  };
  return { synced, read, later, asked: () => asked };
};

const started = async () => {
  const reader = await createReader();
  await reader.read(right);
  return reader;
};

describe('amounts of stored transfers change', () => {
  test('in a few rows: they are stored and counted', async () => {
    const { read, synced, asked } = await started();
    const few = wrong(CHANGE_LIMITS.changedRowsMax);
    expect(await read(few)).toMatchObject({ updated: few.length - 8, corrected: CHANGE_LIMITS.changedRowsMax });
    expect(asked()).toBe(1);
    expect(await shown(synced)).toEqual(await freshly(bankoneTransfers, few));
  });

  test('in more than a dozen: the answers are requested once more, and the stored values stay', async () => {
    const { read, synced, asked } = await started();
    const many = CHANGE_LIMITS.changedRowsMax + 1;
    expect(await read(wrong(many))).toMatchObject({ found: COUNT, updated: 0, held: many, heldHours: 20 });
    expect(asked()).toBe(2);
    expect(await shown(synced)).toEqual(await freshly(bankoneTransfers, right));
    expect(await read(right)).toEqual({ found: COUNT, created: 0, updated: 0 });
  });

  test('in all of three: they are held as well', async () => {
    const reader = await createReader();
    await reader.read(right.slice(0, CHANGE_LIMITS.allRowsMin));
    expect(await reader.read(wrong(3).slice(0, 3))).toMatchObject({ updated: 0, held: 3 });
  });

  test('the same 20 hours later: they are believed', async () => {
    const { read, later, synced } = await started();
    await read(wrong(COUNT));
    later(19);
    expect(await read(wrong(COUNT))).toMatchObject({ held: COUNT });
    later(1);
    expect(await read(wrong(COUNT))).toMatchObject({ updated: COUNT, corrected: COUNT });
    expect(await shown(synced)).toEqual(await freshly(bankoneTransfers, wrong(COUNT)));
  });

  test('the same after a right reading in between: the wait begins again', async () => {
    const { read, later } = await started();
    await read(wrong(COUNT));
    later(19);
    await read(right);
    later(19);
    expect(await read(wrong(COUNT))).toMatchObject({ held: COUNT });
  });

  test('others 20 hours later: the wait begins again', async () => {
    const { read, later } = await started();
    await read(wrong(COUNT));
    later(20);
    const others = right.map((row) => ({ ...row, amount: `${row.amount as string}5` }));
    expect(await read(others)).toMatchObject({ held: COUNT });
  });

  test('rows that two runs have read wait for a week', async () => {
    const { read, later } = await started();
    later(24);
    await read(right);
    later(24);
    expect(await read(wrong(COUNT))).toMatchObject({ held: COUNT, heldHours: 7 * 24 });
    later(7 * 24 - 1);
    expect(await read(wrong(COUNT))).toMatchObject({ held: COUNT });
    later(1);
    expect(await read(wrong(COUNT))).toMatchObject({ corrected: COUNT });
  });
});

test('a value that was unknown, or that the answer lacks, is no change', async () => {
  const reader = await createReader();
  const unnamed = right.map((row) => ({ ...row, counterparty_name: null }));
  await reader.read(unnamed);
  expect(await reader.read(right)).toEqual({ found: COUNT, created: 0, updated: COUNT });
  const lacking = right.map(({ counterparty_name: _, ...row }) => row);
  expect(await reader.read(lacking)).toMatchObject({ updated: 0, completed: COUNT });
});

test('other decimals of the same amount are no change', async () => {
  const reader = await createReader();
  await reader.read(right);
  const spelled = right.map((row) => ({ ...row, amount: `${row.amount as string}.00` }));
  expect(await reader.read(spelled)).toEqual({ found: COUNT, created: 0, updated: COUNT });
});
