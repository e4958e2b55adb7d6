/** A connection whose credentials are refused moves to `error` once, with one event of the service. */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { list } from '#shared/audit/audit.store.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

test.each([
  { login: 'wrong', status: 'error', actions: ['connection.created', 'connection.failed'] },
  { login: 'good', status: 'active', actions: ['connection.created'] },
])('a run with the login $login leaves $status', async ({ login, status, actions }) => {
  const { world } = scripted;
  const connection = await world.connect({ login });
  // The second run changes nothing: the connection is in its state already.
  for (let runs = 0; runs < 2; runs++) {
    const periods = ['2026-10'];
    await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods }, trigger: 'manual' });
    await world.drain();
  }
  expect((await connections.find(world.organizationId, connection.id))?.status).toBe(status);
  const { events } = await list(world.organizationId, { limit: 10, before: null });
  const own = events.filter(({ targetId }) => targetId === connection.id);
  // The clock of the engine does not move, so both events may have the same time.
  expect(own.map(({ action }) => action).sort()).toEqual(actions);
  expect(own[0]?.author).toEqual({ kind: 'service', id: null });
});
