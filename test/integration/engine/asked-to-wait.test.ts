/** An institution that asks for a pause: how long the pause is stored, and which tasks begin earlier. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { SourceError } from '#shared/sources/source.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import type { SourceErrorCode } from '#shared/values/sync-errors.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const { source } = scripted;
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});

const SECOND_MS = 1_000;
const HOUR_SECONDS = 3_600;

const asksFor = (seconds: number, code: SourceErrorCode = 'source.rate_limited'): SourceError =>
  new SourceError(code, 'HTTP 429', { retryAfterMs: seconds * SECOND_MS });

const start = async (connection: Connection) =>
  startRun(connection, {
    runId: randomUUID(),
    scopes: ['rcv'],
    inputMetadata: { periods: ['2026-10'] },
    trigger: 'manual',
  });

/**
 * Starts a run whose pulls fail with `failures`, and lets time pass until no message is left. Returns when pulls began,
 * in seconds.
 */
const pulledAfter = async (failures: Error[]): Promise<{ run: SyncRun | undefined; seconds: number[] }> => {
  const connection = await world.connect({ login: randomUUID() });
  const startedMs = nowMs();
  const seconds: number[] = [];
  source.script.failures = failures;
  source.script.pull = async () => {
    seconds.push(Math.round((nowMs() - startedMs) / SECOND_MS));
    return undefined as never;
  };
  const { id } = await start(connection);
  await world.drain({ jump: true });
  const run = await runs.find(world.organizationId, connection.id, id);
  return { run, seconds };
};

test.each([86_400, HOUR_SECONDS + 1])('after a wait of %i s, the scope ends at once', async (seconds) => {
  const { run, seconds: pulled } = await pulledAfter([asksFor(seconds)]);
  expect(pulled).toEqual([0]);
  expect(run).toMatchObject({ status: 'failed', errorCode: 'source.rate_limited' });
  expect(run?.errorMessage).toContain(`asks to wait ${seconds} s`);
  expect(world.messages).toEqual([]);
});

test('the time limit left to the scope counts, not the whole hour', async () => {
  const { run, seconds } = await pulledAfter([asksFor(1_800), asksFor(1_801)]);
  expect(seconds).toEqual([0, 1_800]);
  expect(run).toMatchObject({ status: 'failed', errorCode: 'source.rate_limited' });
});

test('an outage with a time is named as asked to wait, maintenance as maintenance', async () => {
  const outage = await pulledAfter([asksFor(7_200, 'source.unavailable')]);
  expect(outage.run).toMatchObject({ errorCode: 'source.rate_limited' });
  const maintenance = await pulledAfter([asksFor(7_200, 'source.maintenance')]);
  expect(maintenance.run).toMatchObject({ status: 'failed', errorCode: 'source.maintenance' });
  expect(maintenance.seconds).toEqual([0]);
});

test('a wait that no message can carry is sent on until it is over', async () => {
  const { run, seconds } = await pulledAfter([asksFor(2_000)]);
  expect(seconds).toEqual([0, 2_000]);
  expect(run).toMatchObject({ status: 'succeeded' });
});

test('whose message was lost: the sweeper finds it when the wait is over, and not before', async () => {
  const connection = await world.connect({ login: randomUUID() });
  source.script.failures = [asksFor(2_000)];
  const { id } = await start(connection);
  await world.drain();
  world.messages.length = 0;
  const startedMs = nowMs();
  for (;;) {
    world.advance(60 * SECOND_MS);
    await world.sweep();
    await world.drain();
    const run = await runs.find(world.organizationId, connection.id, id);
    if (run?.status === 'succeeded') break;
    expect(nowMs() - startedMs).toBeLessThan(2_200 * SECOND_MS);
  }
  expect(nowMs() - startedMs).toBeGreaterThanOrEqual(2_000 * SECOND_MS);
});
