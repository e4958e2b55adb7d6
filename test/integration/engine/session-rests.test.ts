/**
 * The cost of a passing fault of the institution: a pause, and a new login only if the session would expire during the
 * pause.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { SourceError } from '#shared/sources/source.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

const statusAfter = async (...failures: Error[]): Promise<string> => {
  const { world, source } = scripted;
  source.script.failures = failures;
  const connection = await world.connect({ login: 'good' });
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods: ['2026-10'] } };
  const { id } = await startRun(connection, { ...request, trigger: 'manual' });
  await world.drain({ jump: true });
  return (await runs.find(world.organizationId, connection.id, id))!.status;
};

const busy = (retryAfterMs: number) => new SourceError('source.rate_limited', 'HTTP 429', { retryAfterMs });

test('busy, then broken, within a pull: the next attempt continues with the session', async () => {
  expect(await statusAfter(busy(60_000), new SourceError('source.unavailable', 'HTTP 502'))).toBe('succeeded');
  expect(scripted.source.counts).toMatchObject({ logins: 1, logouts: 1, openSessions: 0 });
});

test('asked to wait for longer than a session lives: it is left', async () => {
  expect(await statusAfter(busy(600_000))).toBe('succeeded');
  expect(scripted.source.counts).toMatchObject({ logins: 2, logouts: 2, openSessions: 0 });
});
