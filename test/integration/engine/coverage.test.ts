/** Coverage through the engine: written with each outcome, together with rows and totals. */
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SourceError } from '#shared/sources/source.ts';
import * as coverages from '#shared/sync/coverage/coverage.store.ts';
import { readCoverage, readPeriodCoverage } from '#shared/sync/coverage/read-coverage.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import * as table from '#shared/table/table.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const { source } = scripted;
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});

const [BEFORE, MONTH] = ['2026-09', '2026-10'];
const start = async (connection: Connection, periods = [BEFORE, MONTH]) =>
  startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods }, trigger: 'manual' });

const addressOf = ({ id: connectionId }: Connection) => ({
  organizationId: world.organizationId,
  connectionId,
  scope: 'rcv',
});
const read = async ({ organizationId, id }: Connection) => {
  const [coverage] = await readCoverage(organizationId, id, [taxRcv]);
  return coverage!;
};
const month = async (connection: Connection, period: string) =>
  (await read(connection)).periods.find((known) => known.period === period);

test('nothing is known of a scope that had no outcome', async () => {
  const connection = await world.connect({ login: 'good' });
  expect(await read(connection)).toEqual({ scope: 'rcv', lastSuccessAt: null, lastAttempt: null, periods: [] });
});

test('after a sync every month is complete, newest first, and ties out', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  const run = await start(connection);
  await world.drain();
  const { periods, lastAttempt, lastSuccessAt } = await read(connection);
  const ended = await runs.find(world.organizationId, connection.id, run.id);
  expect(lastAttempt).toEqual({ runId: run.id, status: 'ok', finishedAt: ended!.finishedAt, errorCode: null });
  expect(lastSuccessAt).toBe(ended!.finishedAt);
  expect(periods.map(({ period }) => period)).toEqual([MONTH, BEFORE]);
  for (const known of periods)
    expect(known).toMatchObject({ rows: 3, state: 'complete', reason: null, isOpen: false, verdict: 'equal' });
  expect(periods[0]!.asOf! <= lastAttempt!.finishedAt).toBe(true);
});

test('a month whose rows are stored before the first outcome is not one of which nothing was shown', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  await start(connection);
  let under: unknown;
  let pulls = 0;
  source.script.pull = async () => {
    if (++pulls === 2) under = (await read(connection)).periods;
    return undefined as never;
  };
  await world.drain();
  expect(under).toMatchObject([{ period: BEFORE, rows: 3, state: 'partial', asOf: null, verdict: 'equal' }]);
});

test('a row that the source stopped showing makes the month differ, and is named', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  await start(connection);
  await world.drain();
  source.script.folios = { ...source.script.folios, [MONTH]: [4, 5] };
  const run = await start(connection, [MONTH]);
  await world.drain();
  const known = await month(connection, MONTH);
  expect(known).toMatchObject({ rows: 3, state: 'complete', verdict: 'differs' });
  expect(known!.differences[0]).toMatchObject({ figure: 'rows', institution: '2', ours: '3' });
  const detail = await readPeriodCoverage(addressOf(connection), taxRcv, MONTH);
  expect(detail).toMatchObject({
    ...known,
    totals: { groups: [{ notShown: { rows: 1, ids: [expect.any(String)] } }] },
  });
  const { notices } = (await runs.find(world.organizationId, connection.id, run.id))!.outcomes.rcv!;
  expect(notices).toEqual([
    {
      code: 'tax.rcv.totals_differ',
      message: `${MONTH}: direction received, estado registro, document_type 33: the source says rows 2, the stored rows come to 3. 1 row that the source does not show is among them. 3 other figures differ.`,
      params: { period: MONTH, count: 4 },
    },
  ]);
});

test('a month of which nothing came any more is incomplete, though its rows are retained', async () => {
  const connection = await world.connect({ login: 'good' });
  await start(connection);
  await world.drain();
  const before = await month(connection, MONTH);
  source.script.folios = { ...source.script.folios, [MONTH]: [] };
  world.advance(3_600_000);
  await start(connection, [MONTH]);
  await world.drain();
  expect(await month(connection, MONTH)).toEqual({ ...before, state: 'partial', reason: 'tax.rcv.rows_kept' });
});

test('a month that fails retains its rows, and says since when and why', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  await start(connection);
  await world.drain();
  const before = await month(connection, MONTH);
  source.script.unreadable = MONTH;
  world.advance(3_600_000);
  const run = await start(connection);
  await world.drain({ jump: true });
  expect(await month(connection, MONTH)).toEqual({
    ...before,
    state: 'partial',
    reason: 'source.unexpected_response',
  });
  expect(await month(connection, BEFORE)).toMatchObject({ state: 'complete' });
  expect(await read(connection)).toMatchObject({
    lastAttempt: { runId: run.id, status: 'partial', errorCode: 'source.unexpected_response' },
    lastSuccessAt: before!.asOf,
  });
});

test('a source that never answers leaves every month unread', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.pull = async () => {
    throw new SourceError('source.blocked', 'HTTP 403');
  };
  await start(connection);
  await world.drain({ jump: true });
  for (const known of (await read(connection)).periods)
    expect(known).toMatchObject({ rows: 0, state: 'never', reason: 'source.blocked', asOf: null, verdict: 'not_told' });
});

describe('a cancel', () => {
  test('of a run that waits leaves the months as they are', async () => {
    const connection = await world.connect({ login: 'good' });
    await start(connection);
    await world.drain();
    const { periods } = await read(connection);
    const run = await start(connection);
    await cancelRun(world.organizationId, connection.id, run.id);
    expect(await read(connection)).toMatchObject({
      periods,
      lastAttempt: { runId: run.id, status: 'cancelled', errorCode: 'sync.cancelled' },
    });
  });

  test('in the middle reports what was read before, and that the others are incomplete', async () => {
    const connection = await world.connect({ login: 'good' });
    const run = await start(connection);
    let pulls = 0;
    source.script.pull = async () => {
      if (++pulls === 2) await cancelRun(world.organizationId, connection.id, run.id);
      return undefined as never;
    };
    await world.drain();
    expect(await month(connection, BEFORE)).toMatchObject({ state: 'complete', rows: 3 });
    // The worker noticed the cancel after it had stored the rows.
    expect(await month(connection, MONTH)).toMatchObject({ state: 'partial', reason: 'sync.cancelled', rows: 3 });
  });
});

test('two outcomes that are written at the same time both count: the later one is computed again', async () => {
  const connection = await world.connect({ login: 'good' });
  const [first, second] = [await start(connection), await start(connection)];
  const cancel = ({ id }: { id: string }) => cancelRun(world.organizationId, connection.id, id);
  await Promise.all([cancel(first), cancel(second)]);
  const stored = await coverages.find(addressOf(connection));
  expect(stored!.version).toBe(2);
  const stale = coverages.coveragePut(addressOf(connection), { ...stored!, version: 1 }, stored!);
  await expect(table.transact([stale])).rejects.toBeInstanceOf(runs.RunConflict);
  const unread = coverages.coveragePut(addressOf(connection), undefined, stored!);
  await expect(table.transact([unread])).rejects.toBeInstanceOf(runs.RunConflict);
});

test('each outcome counts once, even if a worker dies before its end', async () => {
  const { organizationId } = world;
  for (let call = 1; call < 400; call += 9) {
    const connection = await world.connect({ login: 'good' });
    const run = await start(connection, [MONTH]);
    const death = world.dieAt(call);
    for (let minute = 0; minute < 8; minute++) {
      await world.drain();
      world.advance(60_000);
      await world.sweep();
    }
    await world.drain({ jump: true });
    const [stored, ended] = await Promise.all([
      coverages.find(addressOf(connection)),
      runs.find(organizationId, connection.id, run.id),
    ]);
    expect(stored, `call ${call}`).toMatchObject({
      version: 1,
      lastAttempt: { runId: run.id, status: ended!.outcomes.rcv!.status },
    });
    if (!death.died()) break;
  }
});
