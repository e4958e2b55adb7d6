/**
 * The scopes of a scheduled run begin at full minutes and use one session. Other connections may have the same login, and
 * a run may log in only twice: so a run does not lose its session to them between two scopes.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { scriptedSource } from '#test/fakes/scripted-source.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';

const SCOPES = ['rcv', 'boletas', 'guias'];
const MINUTE_MS = 60_000;
const STEP_MS = 5_000;
const READING_MS = 15_000;

const source = scriptedSource();
let world: EngineWorld;
/** Time of each reading, in seconds after a full minute. */
let readAt: number[];

const pass = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    world.advance(STEP_MS);
    await world.drain();
  }
};

beforeAll(async () => {
  world = await startEngine(source, taxRcv, [taxBoletas, taxGuias]);
});
afterAll(() => world.stop());
beforeEach(() => {
  source.reset();
  // Its rows are those of one scope only.
  source.script.folios = {};
  readAt = [];
  // Each reading takes some time, in which other workers go on.
  source.script.pull = (async () => {
    readAt.push((nowMs() % MINUTE_MS) / 1000);
    await pass(READING_MS);
  }) as () => Promise<never>;
  world.advance(MINUTE_MS - (nowMs() % MINUTE_MS));
});

const start = (connection: Connection, trigger: SyncRun['trigger'], scopes = SCOPES): Promise<SyncRun> =>
  startRun(connection, { runId: randomUUID(), scopes, inputMetadata: { periods: ['2026-09'] }, trigger });

const endOf = async ({ organizationId, connectionId, id }: SyncRun) => {
  const { status, login } = (await runs.find(organizationId, connectionId, id))!;
  return { status, logins: login?.requests };
};

test('without others each scope begins at a full minute, in the same session', async () => {
  const run = await start(await world.connect({ login: randomUUID() }), 'schedule');
  await pass(4 * MINUTE_MS);
  expect(await endOf(run)).toEqual({ status: 'succeeded', logins: 1 });
  expect(readAt).toEqual([0, 0, 0]);
});

test.each([2, 3])('of %i connections with one login, each reads all its scopes in one session', async (count) => {
  const login = randomUUID();
  const started: SyncRun[] = [];
  for (let n = 0; n < count; n++) started.push(await start(await world.connect({ login }), 'schedule'));
  await pass(8 * MINUTE_MS);
  expect(await Promise.all(started.map(endOf))).toEqual(started.map(() => ({ status: 'succeeded', logins: 1 })));
  expect(source.counts.logins).toBe(count);
});

test('a run that has no login left does not leave its session until the full minute', async () => {
  const login = randomUUID();
  const [scheduled, other] = [await world.connect({ login }), await world.connect({ login })];
  const run = await start(scheduled, 'schedule');
  await world.drain();
  // Nobody waits when a scope ends, and then another connection ends the run's session.
  const quick = await start(other, 'manual', ['rcv']);
  await world.drain();
  await pass(3 * MINUTE_MS);
  expect(await endOf(quick)).toEqual({ status: 'succeeded', logins: 1 });
  expect(await endOf(run)).toEqual({ status: 'succeeded', logins: 2 });
  expect(readAt).toEqual([0, 15, 0, 15]);
});
