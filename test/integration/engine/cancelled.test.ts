/** What a cancelled run reports: all results of its scopes so far, removed rows first. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { countRemoved } from '#shared/rows/write/tombstone.store.ts';
import { bankoneMovements } from '#shared/scopes/bankone-movements.ts';
import type { JsonObject } from '#shared/sources/source.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { beforeCalls } from '#test/helpers/before-calls.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';
import { scriptedBank, startMonths } from './scripted-bank.ts';

const MONTHS = ['2026-08', '2026-09', '2026-10'];
const [FIRST] = MONTHS as [string];
const ACCOUNT = '1230045607';

const movements = (period: string, documents: readonly number[], provisional: boolean): JsonObject[] =>
  documents.map((documento, n) => ({
    period,
    numero_cuenta: ACCOUNT,
    currency: 'CLP',
    fecha_movimiento: `${period}-0${n + 1}`,
    descripcion: 'ABONO',
    documento: String(documento),
    amount: String(documento * 10),
    saldo_contable: null,
    tipo: 'A',
    direction: 'received',
    ordinal: 0,
    provisional,
  }));

const bank = scriptedBank();
let world: EngineWorld;
beforeAll(async () => {
  world = await startEngine(bank, bankoneMovements);
});
beforeEach(() => {
  world.dieAt(Number.POSITIVE_INFINITY);
  bank.beforePull = null;
});
afterAll(() => world.stop());

/** Stores open statements of all months. Then the first month is closed, without two of its rows. */
const prepare = async (): Promise<Connection> => {
  const connection = await world.connect({ login: randomUUID() });
  bank.months = Object.fromEntries(MONTHS.map((month) => [month, { rows: movements(month, [1, 2, 3], true) }]));
  await startMonths(connection, 'movements', MONTHS);
  await world.drain({ jump: true });
  bank.months[FIRST] = { rows: movements(FIRST, [1], false), closed: [ACCOUNT] };
  return connection;
};

const cancel = async ({ organizationId, connectionId, id }: SyncRun) =>
  (await cancelRun(organizationId, connectionId, id))!.outcomes.movements!;

const REMOVED = {
  code: 'bankone.movements.rows_replaced',
  message: `${FIRST}: 2 rows that the closed statement does not show were removed.`,
  params: { period: FIRST, count: 2 },
};

test('completed months are reported, with what they removed', async () => {
  const connection = await prepare();
  const run = await startMonths(connection, 'movements', MONTHS);
  bank.beforePull = async (period) => {
    if (period === MONTHS[1]) await cancel(run);
  };
  await world.drain({ jump: true });
  expect((await runs.find(run.organizationId, connection.id, run.id))!.outcomes.movements).toMatchObject({
    status: 'cancelled',
    errorCode: 'sync.cancelled',
    recordsFound: 1,
    recordsCreated: 0,
    recordsUpdated: 0,
    periods: [FIRST],
    notices: [REMOVED],
  });
  const next = await startMonths(connection, 'movements', MONTHS);
  await world.drain({ jump: true });
  expect((await runs.find(run.organizationId, connection.id, next.id))!.outcomes.movements).toMatchObject({
    status: 'ok',
    notices: [],
  });
});

test('rows that a worker removed before it died anywhere are reported by the cancel', {
  timeout: 240_000,
}, async () => {
  const removals = new Set<number>();
  for (let call = 10; ; call += 2) {
    const connection = await prepare();
    const run = await startMonths(connection, 'movements', [FIRST]);
    const { died } = world.dieAt(call);
    await world.drain({ jump: true });
    if (!died()) break;
    world.dieAt(Number.POSITIVE_INFINITY);
    world.messages.length = 0;
    const { notices, status } = await cancel(run);
    if (status !== 'cancelled') continue;
    const address = { organizationId: run.organizationId, connectionId: connection.id, scope: 'movements' };
    const removed = (await countRemoved(address, run.id, 0)).get(FIRST) ?? 0;
    removals.add(removed);
    expect(notices, `died at ${call}`).toEqual(removed === 0 ? [] : [REMOVED]);
  }
  expect([...removals]).toEqual([0, 2]);
});

test('a checkpoint that comes in between is also reported', async () => {
  const connection = await prepare();
  const run = await startMonths(connection, 'movements', MONTHS);
  let isBetween = false;
  const end = beforeCalls('sync.cancelled', async () => {
    if (!isBetween) return;
    isBetween = false;
    const task = await tasks.find(run.organizationId, connection.id, run.id, 'movements');
    await tasks.move(task!, { notices: [REMOVED as never] });
  });
  const outcomes: unknown[] = [];
  bank.beforePull = async () => {
    isBetween = true;
    outcomes.push(await cancel(run));
  };
  try {
    await world.drain({ jump: true });
  } finally {
    end();
  }
  expect(isBetween).toBe(false);
  expect(outcomes).toEqual([expect.objectContaining({ status: 'cancelled', notices: [REMOVED] })]);
});

test('a worker that is faster than any reader is also cancelled', async () => {
  const connection = await prepare();
  const run = await startMonths(connection, 'movements', MONTHS);
  const told = (n: number) => ({ code: 'bankone.movements.totals_differ', message: `checkpoint ${n}` });
  let checkpoints = 0;
  const end = beforeCalls('sync.cancelled', async () => {
    const task = await tasks.find(run.organizationId, connection.id, run.id, 'movements');
    await tasks.move(task!, { notices: [told(++checkpoints) as never] });
  });
  const outcomes: unknown[] = [];
  bank.beforePull = async () => {
    bank.beforePull = null;
    outcomes.push(await cancel(run));
  };
  try {
    await world.drain({ jump: true });
  } finally {
    end();
  }
  // The notices include that of the last reading before the end.
  expect(outcomes).toEqual([
    expect.objectContaining({ status: 'cancelled', notices: expect.arrayContaining([told(checkpoints - 1)]) }),
  ]);
});
