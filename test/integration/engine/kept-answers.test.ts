/**
 * A stored answer is a checkpoint: a worker that resumes finds it by its name, and asks the institution only for the
 * rest.
 */
import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Connection } from '#shared/connections/connection.rules.ts';
import { SourceError } from '#shared/sources/source.ts';
import { unpack } from '#shared/sync/reading/raw-answer.store.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { stride } from '#test/helpers/effort.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const MONTHS = ['2026-09', '2026-10'];
const ALL = MONTHS.flatMap((period) => ['first', 'second'].map((key) => `${period} ${key}`));
const MINUTES_MAX = 8;

const keptOf = ({ id }: Connection): string[] =>
  [...scripted.world.objects]
    .filter(([name]) => name.includes(id))
    .flatMap(([, object]) => unpack(gunzipSync(object)))
    .map(({ answer: { key, request } }) => `${request.period} ${key}`);

/**
 * Runs a sync to its end, even if its workers die. Returns the answers that were requested although they were
 * stored.
 */
const sync = async (connection: Connection, prepare: () => void): Promise<{ run: SyncRun; again: string[] }> => {
  const { world, source } = scripted;
  const again: string[] = [];
  const { beforeFetch } = source.script;
  source.script.beforeFetch = (period, key) => {
    if (keptOf(connection).includes(`${period} ${key}`)) again.push(`${period} ${key}`);
    beforeFetch?.(period, key);
  };
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods: MONTHS } };
  const { id } = await startRun(connection, { ...request, trigger: 'manual' });
  prepare();
  const find = async () => (await runs.find(world.organizationId, connection.id, id))!;
  await world.drain({ jump: true });
  for (let minute = 0; minute < MINUTES_MAX && (await find()).finishedAt === null; minute++) {
    world.advance(60_000);
    await world.sweep();
    await world.drain({ jump: true });
  }
  return { run: await find(), again };
};

test('a worker that dies at any of its calls leaves every answer that it stored to the next one', {
  timeout: 120_000,
}, async () => {
  const before = scripted.world.objectReads();
  for (let call = 1; call < 90; call += stride(5)) {
    scripted.source.reset();
    const connection = await scripted.world.connect({ login: 'good' });
    const { run, again } = await sync(connection, () => scripted.world.dieAt(call));
    const where = `died at call ${call}`;
    expect(again, where).toEqual([]);
    expect(run, where).toMatchObject({ status: 'succeeded', outcomes: { rcv: { recordsFound: 6 } } });
  }
  expect(scripted.world.objectReads() - before).toBeGreaterThan(ALL.length);
});

test('handed over in the middle of a month: the next worker continues after the last answer', async () => {
  const { world, source } = scripted;
  const connection = await world.connect({ login: 'good' });
  source.script.stalls = 2;
  const { run, again } = await sync(connection, () => world.hurry(2));
  expect(run.status).toBe('succeeded');
  expect(again).toEqual([]);
  expect(keptOf(connection).sort()).toEqual(ALL);
});

test('an attempt that fails on the way leaves its answers to the next one', async () => {
  const { world, source } = scripted;
  const connection = await world.connect({ login: 'good' });
  let isThere = false;
  source.script.beforeFetch = (_, key) => {
    if (key !== 'second' || isThere) return;
    isThere = true;
    throw new SourceError('source.unavailable', 'HTTP 502');
  };
  const { run, again } = await sync(connection, () => {});
  expect(run.status).toBe('succeeded');
  expect(again).toEqual([]);
  expect(keptOf(connection).sort()).toEqual(ALL);
});

test('an unreadable answer is stored, and never used as an answer', async () => {
  const { world, source } = scripted;
  const connection = await world.connect({ login: 'good' });
  const unread = { request: { period: '2026-09' }, contentType: 'text/html', body: new TextEncoder().encode('<html>') };
  let isThere = false;
  let asked = 0;
  source.script.beforeFetch = (period, key) => {
    if (`${period} ${key}` !== ALL[1]) return;
    asked++;
    if (isThere) return;
    isThere = true;
    throw new SourceError('source.unavailable', 'HTTP 502', { unread });
  };
  const { run } = await sync(connection, () => {});
  expect(run).toMatchObject({ status: 'succeeded', outcomes: { rcv: { recordsFound: 6 } } });
  expect(asked).toBe(2);
  expect(keptOf(connection).sort()).toEqual([...ALL, ALL[1]!].sort());
});
