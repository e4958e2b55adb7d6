/**
 * The scopes of a scheduled run begin at full minutes and use one session. Other connections may have the same login, and
 * a run may log in only twice: so the login is reserved for the run between two scopes.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { taxBoletas } from '#shared/scopes/tax-boletas.ts';
import { taxGuias } from '#shared/scopes/tax-guias.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { SourceError } from '#shared/sources/source.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { dispatchRun, startRun } from '#shared/sync/start-run.ts';
import { OutOfTime } from '#shared/sync/task/heartbeat.ts';
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

/** Second of each minute in which the sweeper looks. */
let sweptAt: number;

const pass = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += STEP_MS) {
    world.advance(STEP_MS);
    await world.drain();
    if ((nowMs() % MINUTE_MS) / 1000 === sweptAt) await world.sweep();
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
  sweptAt = 30;
  // Each reading takes some time, in which other workers go on.
  source.script.pull = (async () => {
    readAt.push((nowMs() % MINUTE_MS) / 1000);
    await pass(READING_MS);
  }) as () => Promise<never>;
  world.advance(MINUTE_MS - (nowMs() % MINUTE_MS));
});

/** Makes two or more connections of one new login. */
const connectWithOneLogin = async (count: number): Promise<[Connection, Connection, ...Connection[]]> => {
  const login = randomUUID();
  const made = [await world.connect({ login }), await world.connect({ login })] as const;
  const more: Connection[] = [];
  for (let n = made.length; n < count; n++) more.push(await world.connect({ login }));
  return [...made, ...more];
};

const start = (connection: Connection, trigger: SyncRun['trigger'], scopes = SCOPES): Promise<SyncRun> =>
  startRun(connection, { runId: randomUUID(), scopes, inputMetadata: { periods: ['2026-09'] }, trigger });

const endOf = async ({ organizationId, connectionId, id }: SyncRun) => {
  const { status, login } = (await runs.find(organizationId, connectionId, id))!;
  return { status, logins: login?.requests };
};

const expectOneSessionEach = async (started: readonly SyncRun[]): Promise<void> =>
  expect(await Promise.all(started.map(endOf))).toEqual(started.map(() => ({ status: 'succeeded', logins: 1 })));

const finishedAt = async ({ organizationId, connectionId, id }: SyncRun): Promise<string> =>
  (await runs.find(organizationId, connectionId, id))!.finishedAt!;

test('without others each scope begins at a full minute, in the same session', async () => {
  const run = await start(await world.connect({ login: randomUUID() }), 'schedule');
  await pass(4 * MINUTE_MS);
  await expectOneSessionEach([run]);
  expect(readAt).toEqual([0, 0, 0]);
});

test.each([2, 3])('of %i connections with one login, each reads all its scopes in one session', async (count) => {
  const started: SyncRun[] = [];
  for (const connection of await connectWithOneLogin(count)) started.push(await start(connection, 'schedule'));
  await pass(8 * MINUTE_MS);
  await expectOneSessionEach(started);
  expect(source.counts.logins).toBe(count);
  // Full minutes count only when nobody waits for the login any more.
  const atOnce = Array.from({ length: SCOPES.length * (count - 1) + 1 }, (_, n) => (n * 15) % 60);
  expect(readAt).toEqual([...atOnce, 0, 0]);
});

describe('the login of a run', () => {
  const down = (retryAfterMs?: number) => new SourceError('source.unavailable', 'down', { retryAfterMs });

  /** A run of these scopes whose first reading ends with the error, and a sync of another connection that comes just then. */
  const runAndWaiting = async (scopes: string[], error: Error): Promise<[SyncRun, SyncRun]> => {
    const [one, other] = await connectWithOneLogin(2);
    let waiting: SyncRun | undefined;
    source.script.pull = (async () => {
      if (waiting === undefined) {
        waiting = await start(other, 'manual', ['rcv']);
        await dispatchRun(waiting.organizationId, waiting.connectionId, waiting.id);
        throw error;
      }
      readAt.push((nowMs() % MINUTE_MS) / 1000);
      await pass(READING_MS);
    }) as () => Promise<never>;
    const run = await start(one, 'manual', scopes);
    await pass(5 * MINUTE_MS);
    return [run, waiting!];
  };

  test.each([
    ['a short pause', ['rcv'], down()],
    ['a pause that the institution asks for', ['rcv'], down(40_000)],
    ['a pause of one of its scopes', SCOPES, down()],
    ['a handover', SCOPES, new OutOfTime()],
  ])('stays with it for %s', async (_, scopes, error) => {
    const [run, waiting] = await runAndWaiting(scopes, error);
    await expectOneSessionEach([run, waiting]);
    const [first, second] = await Promise.all([finishedAt(run), finishedAt(waiting)]);
    expect(first < second).toBe(true);
  });

  test('stays with it while a scope waits for the full minute and another one ends', async () => {
    const [one, other] = await connectWithOneLogin(2);
    let waiting: SyncRun | undefined;
    source.script.pull = (async () => {
      readAt.push((nowMs() % MINUTE_MS) / 1000);
      if (readAt.length === 2) waiting = await start(other, 'manual', ['rcv']);
      await pass(readAt.length === 1 ? STEP_MS : READING_MS);
      if (readAt.length === 1) throw down(20_000);
    }) as () => Promise<never>;
    const run = await start(one, 'schedule');
    await world.drain();
    await pass(5 * MINUTE_MS);
    // The scope that waits for the full minute has the login next.
    expect(readAt).toEqual([0, 25, 0, 15, 30]);
    await expectOneSessionEach([run, waiting!]);
  });

  test('goes to others at once for a long pause', async () => {
    const [run, waiting] = await runAndWaiting(['rcv'], down(150_000));
    expect((await endOf(run)).status).toBe('succeeded');
    expect(readAt).toEqual([5, 35]);
    const [first, second] = await Promise.all([finishedAt(waiting), finishedAt(run)]);
    expect(first < second).toBe(true);
  });
});

test('a scope that waits for its run is not sent early by the sweeper', async () => {
  const run = await start(await world.connect({ login: randomUUID() }), 'schedule');
  const readings = [50_000, 50_000, 10_000];
  source.script.pull = (async () => {
    readAt.push((nowMs() % MINUTE_MS) / 1000);
    await pass(readings.shift()!);
  }) as () => Promise<never>;
  await pass(4 * MINUTE_MS);
  await expectOneSessionEach([run]);
  expect(readAt).toEqual([0, 0, 0]);
});

describe.each([5, 30, 55])('the sweeper looks at second %i', (second) => {
  beforeEach(() => {
    sweptAt = second;
  });

  test.each([5, 25, 40, 60, 70, 85])(
    'a sync that comes %i s after a run began waits until the run has ended',
    async (sinceS) => {
      const [scheduled, ...others] = await connectWithOneLogin(3);
      const run = await start(scheduled, 'schedule');
      await pass(sinceS * 1000);
      const quick: SyncRun[] = [];
      for (const other of others) quick.push(await start(other, 'manual', ['rcv']));
      await pass(8 * MINUTE_MS);
      await expectOneSessionEach([run, ...quick]);
    },
  );

  test('a session is not logged out between two scopes', async () => {
    const [scheduled, other] = await connectWithOneLogin(2);
    // The run begins late in its minute: its session is due soon after its first scope.
    const readings = [20_000, 45_000, 10_000, 10_000];
    source.script.pull = (() => pass(readings.shift()!)) as () => Promise<never>;
    const before = await start(other, 'manual', ['rcv']);
    const run = await start(scheduled, 'schedule');
    await pass(6 * MINUTE_MS);
    await expectOneSessionEach([before, run]);
    expect(source.counts.logouts).toBe(2);
  });

  test('after a cancel between two scopes the login is free at the full minute', async () => {
    const [scheduled, other] = await connectWithOneLogin(2);
    const run = await start(scheduled, 'schedule');
    await pass(80_000);
    const waiting = await start(other, 'manual', ['rcv']);
    await world.drain();
    await cancelRun(run.organizationId, run.connectionId, run.id);
    await pass(35_000);
    expect((await endOf(run)).status).toBe('cancelled');
    expect(readAt).toEqual([0, 0]);
    await pass(READING_MS);
    expect((await endOf(waiting)).status).toBe('succeeded');
  });

  test('a reservation ends if the message of the next scope is lost', async () => {
    const [scheduled, other] = await connectWithOneLogin(2);
    const run = await start(scheduled, 'schedule');
    await pass(80_000);
    world.messages.length = 0;
    const waiting = await start(other, 'manual', ['rcv']);
    await pass(8 * MINUTE_MS);
    expect((await endOf(waiting)).status).toBe('succeeded');
    expect((await endOf(run)).status).toBe('succeeded');
  });
});
