/** A run that waits for its next login reports so, and until when. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { nowMs } from '#shared/platform/clock.ts';
import { SourceError } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

const messageOf = async ({ organizationId, connectionId, id }: SyncRun): Promise<string | null | undefined> =>
  (await runs.findProgresses(organizationId, connectionId, [id])).get(id)?.message;

const start = async (login: string): Promise<SyncRun> => {
  const connection = await scripted.world.connect({ login });
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods: ['2026-09'] } };
  return startRun(connection, { ...request, trigger: 'manual' });
};

test('after an unclear login, in its own run and in one of another connection with the same credentials', async () => {
  const { world, source } = scripted;
  source.script.connect = async () => {
    throw new SourceError('source.unavailable', 'login: HTTP 503');
  };
  const login = randomUUID();
  const first = await start(login);
  await world.drain();
  const next = new Date(nowMs() + SYNC_LIMITS.unprovenLoginPauseMs).toISOString();
  const expected = `Next login attempt at ${next}. Last: login: HTTP 503`;
  expect(await messageOf(first)).toBe(expected);
  world.advance(60_000);
  const second = await start(login);
  await world.drain();
  expect(await messageOf(second)).toBe(expected);
  expect(source.counts.logins).toBe(1);
  source.script.connect = null;
  await world.drain({ jump: true });
  for (const { organizationId, connectionId, id } of [first, second])
    expect((await runs.find(organizationId, connectionId, id))!.status).toBe('succeeded');
});
