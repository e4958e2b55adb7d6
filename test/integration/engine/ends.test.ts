/** Runs that are cancelled, and connections that are deleted with all their data. */

import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { list as listEvents } from '#shared/audit/audit.store.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { send } from '#shared/messaging/send.ts';
import { dirtyPeriods, findSummary, markDirty } from '#shared/rows/index/page-index.store.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { storeConnection } from '#test/helpers/stored-connection.ts';
import { countEvents, useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
const { source } = scripted;
let world: EngineWorld;
let events: () => Promise<number>;
beforeAll(async () => {
  ({ world } = scripted);
  events = await countEvents(world);
});

const start = async (connection: Connection, periods = ['2026-09', '2026-10']) =>
  startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata: { periods }, trigger: 'manual' });

const finished = async (connection: Connection, runId: string) => {
  const run = await runs.find(world.organizationId, connection.id, runId);
  if (!run) throw new Error('no run');
  return run;
};

describe('cancelling', () => {
  test('ends a queued run; late messages do nothing; no event', async () => {
    const connection = await world.connect({ login: 'good' });
    const before = await events();
    const run = await start(connection);
    expect((await cancelRun(world.organizationId, connection.id, run.id))?.status).toBe('cancelled');
    await world.drain();
    expect((await finished(connection, run.id)).status).toBe('cancelled');
    expect(source.counts.logins).toBe(0);
    expect(await events()).toBe(before);
    expect((await connections.find(world.organizationId, connection.id))?.openRuns).toEqual([]);
  });

  test('ends a running one in the middle, leaves no dirty index and no open session, and is idempotent', async () => {
    const connection = await world.connect({ login: 'good' });
    const run = await start(connection);
    source.script.beforePull = async () => {
      await cancelRun(world.organizationId, connection.id, run.id);
    };
    await world.drain();
    const ended = await finished(connection, run.id);
    expect(ended.status).toBe('cancelled');
    expect(ended.outcomes.rcv).toMatchObject({ status: 'cancelled' });
    expect((await cancelRun(world.organizationId, connection.id, run.id))?.finishedAt).toBe(ended.finishedAt);
    for (let minute = 0; minute < 5; minute++) {
      world.advance(60_000);
      await world.sweep();
      await world.drain();
    }
    expect(source.counts.openSessions).toBe(0);
    const next = await start(connection);
    await world.drain({ jump: true });
    expect((await finished(connection, next.id)).status).toBe('succeeded');
  });
});

test('a scope that was taken away since ends at the next sweep, and its run with it', async () => {
  const connection = await world.connect({ login: 'good' });
  const inputMetadata = { periods: ['2026-10'] };
  const request = { runId: randomUUID(), scopes: ['rcv', 'gone'], inputMetadata, trigger: 'manual' as const };
  const run = await startRun(connection, request);
  await world.drain();
  // The message of the scope `gone` would go to a queue that does not exist.
  world.messages.length = 0;
  for (let minute = 0; minute < 3; minute++) {
    world.advance(60_000);
    await world.sweep();
  }
  const ended = await finished(connection, run.id);
  expect(ended).toMatchObject({ status: 'partial', errorCode: 'sync.internal_error' });
  expect(ended.outcomes.rcv).toMatchObject({ status: 'ok' });
  expect(ended.outcomes.gone).toMatchObject({
    status: 'failed',
    errorMessage: 'gone: The scope is no longer synchronized.',
  });
});

describe('deleting', () => {
  test('is refused while a run is open, then everything goes', async () => {
    const connection = await world.connect({ login: 'good' });
    const run = await start(connection);
    await expect(connections.remove(world.organizationId, connection.id, BY_SERVICE)).rejects.toMatchObject({
      code: 'connection_sync_in_progress',
    });
    await world.drain();
    expect((await finished(connection, run.id)).status).toBe('succeeded');
    await connections.remove(world.organizationId, connection.id, BY_SERVICE);
    expect(await connections.find(world.organizationId, connection.id)).toBeUndefined();
    const covered = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
    expect(await table.get(keys.coverage(covered))).toBeDefined();
    for (let minute = 0; minute < 25; minute++) {
      world.advance(60_000);
      await world.sweep();
      await world.drain();
    }
    const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
    expect(await findSummary(address)).toEqual({});
    expect(await runs.listNewest(world.organizationId, connection.id, 10)).toEqual([]);
    expect(await table.query(keys.rows(address, '2026-10', 'received.registro'))).toEqual([]);
    expect(await table.get(keys.purge(world.organizationId, connection.id))).toBeUndefined();
    const { events } = await listEvents(world.organizationId, { limit: 1, before: null });
    expect(events).toMatchObject([{ action: 'connection.purged', targetId: connection.id }]);
    expect([...world.objects.keys()].filter((key) => key.includes(connection.id))).toEqual([]);
    const left = await table.query(keys.connectionItems(world.organizationId, connection.id).pk);
    expect(left).toEqual([]);
  });

  test.each([1, 5, 14])('a row that a frozen worker writes %d minutes later is also deleted', async (minutes) => {
    const connection = await world.connect({ login: 'good' });
    const run = await start(connection);
    await world.drain();
    expect((await finished(connection, run.id)).status).toBe('succeeded');
    const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
    const rows = keys.rows(address, '2026-10', 'received.registro');
    const [row] = await table.query(rows);
    await connections.remove(world.organizationId, connection.id, BY_SERVICE);
    for (let minute = 0; minute < 25; minute++) {
      // `BatchWriteItem` carries no condition: the worker looked at the clock before it froze.
      if (minute === minutes) await table.batchWrite({ puts: [row!] });
      world.advance(60_000);
      await world.sweep();
      await world.drain();
    }
    expect(await table.query(rows)).toEqual([]);
    expect(await table.get(keys.purge(world.organizationId, connection.id))).toBeUndefined();
  });

  const begin = async (): Promise<{ connection: Connection; rows: string }> => {
    const connection = await world.connect({ login: 'good' });
    await start(connection);
    await world.drain();
    await connections.remove(world.organizationId, connection.id, BY_SERVICE);
    await send('purges', { organizationId: world.organizationId, connectionId: connection.id, generation: 1 });
    const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
    return { connection, rows: keys.rows(address, '2026-10', 'received.registro') };
  };
  const purgeOf = ({ id }: Connection) => table.get(keys.purge(world.organizationId, id));

  test('a purge ends by its own messages: each step sends the message of the next one', async () => {
    const { connection, rows } = await begin();
    await world.drain({ jump: true });
    expect(await purgeOf(connection)).toBeUndefined();
    expect(await table.query(rows)).toEqual([]);
  });

  test('a message that arrives within the 15 minutes deletes nothing', async () => {
    const { connection, rows } = await begin();
    await world.drain();
    const [next] = world.messages.splice(0);
    expect(next!.body).toMatchObject({ connectionId: connection.id, generation: 2 });
    world.advance(14 * 60_000);
    world.messages.push({ ...next!, dueMs: 0 });
    await world.drain();
    expect(await table.query(rows)).not.toEqual([]);
    world.advance(60_000);
    world.messages.push({ ...next!, dueMs: 0 });
    await world.drain();
    expect(await purgeOf(connection)).toBeUndefined();
    expect(await table.query(rows)).toEqual([]);
  });
});

test('a dirty month of a scope that its source does not have is postponed, not rebuilt as that of another bank', async () => {
  const connectionId = await storeConnection(world.organizationId, 'banktwo');
  const address = { organizationId: world.organizationId, connectionId, scope: 'transfers' };
  const { lease, done } = await takeForRepair(address);
  await markDirty(address, '2026-10', lease);
  await done();
  for (let minute = 0; minute < 3; minute++) {
    world.advance(60_000);
    await world.sweep();
  }
  expect(await dirtyPeriods(address)).toEqual(['2026-10']);
});
