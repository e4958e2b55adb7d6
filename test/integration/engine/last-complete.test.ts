/** The last complete month that a connection shows, over its runs. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { toConnection } from '#shared/http/views/connection.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { findManifest } from '#shared/sources/find-manifest.ts';
import { SourceError } from '#shared/sources/source.ts';
import { closeOnConnection } from '#shared/sync/end/connection-end.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import { RunConflict } from '#shared/sync/run/run.store.ts';
import { queuedRun, startRun } from '#shared/sync/start-run.ts';
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
const found = async ({ id }: Connection) => (await connections.find(world.organizationId, id))!;
const shown = async (connection: Connection): Promise<string | undefined> => {
  const facts = { nowMs: nowMs(), isLoginShared: false };
  return toConnection(await found(connection), findManifest('tax')!, facts).last_complete_period;
};
const synchronize = async (connection: Connection, periods?: string[]): Promise<string | undefined> => {
  await start(connection, periods);
  await world.drain({ jump: true });
  return shown(connection);
};

test('is known after a run, and not while another one is open', async () => {
  const connection = await world.connect({ login: 'good' });
  expect(await shown(connection)).toBeUndefined();
  expect(await synchronize(connection, [BEFORE])).toBe(BEFORE);
  expect(await synchronize(connection)).toBe(MONTH);
  const { id } = await start(connection);
  expect(await shown(connection)).toBeUndefined();
  await cancelRun(world.organizationId, connection.id, id);
  expect(await shown(connection)).toBe(MONTH);
});

test('goes back when a month differs or fails, and returns', async () => {
  const connection = await world.connect({ login: 'good' });
  source.script.isHonest = true;
  expect(await synchronize(connection)).toBe(MONTH);
  const { folios } = source.script;
  source.script.folios = { ...folios, [MONTH]: [4, 5] };
  expect(await synchronize(connection, [MONTH])).toBe(BEFORE);
  source.script.folios = folios;
  expect(await synchronize(connection, [MONTH])).toBe(MONTH);
  source.script.failures = Array.from({ length: 8 }, () => new SourceError('source.unavailable', 'down'));
  expect(await synchronize(connection)).toBeUndefined();
  source.script.failures = [];
  expect(await synchronize(connection)).toBe(MONTH);
});

test('is unknown after a change of the scopes, until the next run has read them', async () => {
  const connection = await world.connect({ login: 'good' });
  expect(await synchronize(connection)).toBe(MONTH);
  await connections.change(await found(connection), { name: 'B' }, BY_SERVICE);
  expect(await shown(connection)).toBe(MONTH);
  await connections.change(await found(connection), { enabledScopes: ['rcv', 'guias'] }, BY_SERVICE);
  expect(await shown(connection)).toBeUndefined();
  // The scope of this run is complete, the new one has never been read.
  expect(await synchronize(connection)).toBeUndefined();
  await connections.change(await found(connection), { enabledScopes: ['rcv'] }, BY_SERVICE);
  expect(await synchronize(connection)).toBe(MONTH);
});

test.each([
  ['another run ended', async (read: Connection) => table.transact(ending(read, BEFORE).items)],
  [
    'the scopes changed',
    async (read: Connection) => connections.change(read, { enabledScopes: ['rcv', 'guias'] }, BY_SERVICE),
  ],
])('no older coverage decides it: %s', async (_, act) => {
  const read = await found(await world.connect({ login: 'good' }));
  await act(read);
  await expect(table.transact(ending(read, MONTH).items)).rejects.toThrow(RunConflict);
  expect(await shown(read)).not.toBe(MONTH);
});

const ending = (read: Connection, lastComplete: string) => {
  const request = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: {}, trigger: 'manual' as const };
  const run = { ...queuedRun(read, request), status: 'failed' } as const;
  return closeOnConnection(read, run, { gravest: null, finishedAt: nowIso(), lastComplete });
};
