/** Firings of a schedule as messages of the queue: one firing starts one run, and no run where none should start. */

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { scheduleAfter, scheduleName } from '#shared/connections/schedule.rules.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { SyncRequest } from '#shared/messaging/queues.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { taxRcv } from '#shared/scopes/tax-rcv.ts';
import { cancelRun } from '#shared/sync/end/finish-run.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { scheduledRunId, startScheduledRun } from '#shared/sync/scheduled-run.ts';
import { dispatchRun, startRun } from '#shared/sync/start-run.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { scriptedSource } from '#test/fakes/scripted-source.ts';
import { type EngineWorld, startEngine } from '#test/helpers/engine.ts';

let world: EngineWorld;
const source = scriptedSource();
const SCHEDULED_AT = '2026-11-21T13:00:00Z';

beforeAll(async () => {
  world = await startEngine(source, taxRcv);
});
afterAll(() => world.stop());
beforeEach(() => {
  source.reset();
  world.messages.length = 0;
  world.dieAt(Number.POSITIVE_INFINITY);
});

const find = async (connection: Connection) => (await connections.find(world.organizationId, connection.id))!;
const scheduled = async (login = 'good'): Promise<Connection> => {
  const connection = await world.connect({ login: `${login}-${randomUUID()}` });
  const schedule = scheduleAfter(connection, { enabled: true, frequencyMinutes: 60 }, nowMs());
  await connections.change(connection, { schedule }, BY_SERVICE);
  return find(connection);
};
const firing = (connection: Connection, changes: object = {}) => ({
  organizationId: connection.organizationId,
  connectionId: connection.id,
  revision: connection.schedule.revision,
  scheduledAt: SCHEDULED_AT,
  ...changes,
});
const runsOf = (connection: Connection) => runs.listNewest(world.organizationId, connection.id, 10);
const finish = async () => world.drain({ jump: true });

test('each scope of a scheduled run begins at a full minute, so that its task shares an invocation', async () => {
  const connection = await scheduled();
  world.advance(17_250);
  await startScheduledRun(firing(connection));
  const { dueMs } = world.messages.find(({ queue }) => queue === 'sync-tax-rcv')!;
  // A delay has whole seconds.
  expect(dueMs % 60_000).toBeLessThan(1_000);
  expect(dueMs - nowMs()).toBeLessThanOrEqual(60_000);
  const [run] = await runsOf(connection);
  // A reminder must not come before the message.
  const task = await tasks.find(world.organizationId, connection.id, run!.id, 'rcv');
  expect(task!.lookedAtMs).toBeGreaterThan(dueMs + MESSAGING_LIMITS.messageGraceMs - 1_000);
  await finish();
  const manual = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: {} };
  const { id } = await startRun(await find(connection), { ...manual, trigger: 'manual' });
  await dispatchRun(world.organizationId, connection.id, id);
  expect(world.messages.find(({ body }) => body.runId === id && body.kind === 'work')!.dueMs).toBe(nowMs());
});

describe('one firing, one run', () => {
  test('however often it is delivered, at once or one after the other', async () => {
    const connection = await scheduled();
    await Promise.all(Array.from({ length: 5 }, () => startScheduledRun(firing(connection))));
    await startScheduledRun(firing(connection));
    expect(await runsOf(connection)).toHaveLength(1);
    await finish();
    await startScheduledRun(firing(connection));
    await finish();
    const [run, ...more] = await runsOf(connection);
    expect(more).toEqual([]);
    expect(run).toMatchObject({
      id: scheduledRunId(firing(connection)),
      trigger: 'schedule',
      status: 'succeeded',
      scopes: ['rcv'],
      inputMetadata: {},
    });
    expect((await find(connection)).openRuns).toEqual([]);
  });

  test('its id is a UUIDv7 of the scheduled time, however that is written', async () => {
    const connection = await scheduled();
    const id = scheduledRunId(firing(connection));
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toBe(Date.parse(SCHEDULED_AT));
    expect(scheduledRunId(firing(connection, { scheduledAt: '2026-11-21T13:00:00.000Z' }))).toBe(id);
    expect(scheduledRunId(firing(connection, { scheduledAt: '2026-11-21T14:00:00Z' }))).not.toBe(id);
    expect(scheduledRunId(firing(connection, { connectionId: randomUUID() }))).not.toBe(id);
  });

  test('the next firing is the next run', async () => {
    const connection = await scheduled();
    await startScheduledRun(firing(connection));
    await finish();
    await startScheduledRun(firing(connection, { scheduledAt: '2026-11-21T14:00:00Z' }));
    await finish();
    expect((await runsOf(connection)).map(({ status }) => status)).toEqual(['succeeded', 'succeeded']);
  });

  test('a worker that dies at any call leaves one run, which ends', async () => {
    for (let at = 1; at < 12; at++) {
      const connection = await scheduled();
      const { died } = world.dieAt(at);
      const message = { queue: 'sync-requests', body: { kind: 'scheduled', ...firing(connection) }, dueMs: 0 };
      // The queue delivers the message again after its worker died.
      world.messages.push(message, { ...message, dueMs: 1 });
      await world.drain();
      for (let minute = 0; minute < 10; minute++) {
        world.advance(60_000);
        await world.sweep();
        await world.drain();
      }
      const all = await runsOf(connection);
      expect([at, all.map(({ status }) => status)]).toEqual([at, ['succeeded']]);
      if (!died()) return;
    }
  });
});

describe('skipped', () => {
  const skipped = async (connection: Connection, changes: object = {}) => {
    const before = (await runsOf(connection)).length;
    await startScheduledRun(firing(connection, changes));
    expect(await runsOf(connection)).toHaveLength(before);
  };

  test('while a run of the connection is open, until it is finished or cancelled', async () => {
    const connection = await scheduled();
    const manual = { runId: randomUUID(), scopes: ['rcv'], inputMetadata: {}, trigger: 'manual' as const };
    await startRun(connection, manual);
    await skipped(connection);
    await cancelRun(world.organizationId, connection.id, manual.runId);
    await startScheduledRun(firing(connection));
    expect((await runsOf(connection)).map(({ trigger }) => trigger).sort()).toEqual(['manual', 'schedule']);
  });

  test('while the credentials are refused; new ones bring it back', async () => {
    const connection = await world.connect({ login: 'wrong' });
    const schedule = scheduleAfter(connection, { enabled: true, frequencyMinutes: 60 }, nowMs());
    await connections.change(connection, { schedule }, BY_SERVICE);
    await startScheduledRun(firing(await find(connection)));
    await finish();
    const failed = await find(connection);
    expect(failed.status).toBe('error');
    const { logins } = source.counts;
    await skipped(failed, { scheduledAt: '2026-11-21T14:00:00Z' });
    await finish();
    expect(source.counts.logins).toBe(logins);
    await connections.change(failed, { status: 'pending' }, BY_SERVICE);
    await startScheduledRun(firing(failed, { scheduledAt: '2026-11-21T15:00:00Z' }));
    expect(await runsOf(connection)).toHaveLength(2);
  });

  test('while the connection is disabled, and when it is gone', async () => {
    const connection = await scheduled();
    await connections.change(connection, { status: 'disabled' }, BY_SERVICE);
    await skipped(connection);
    await connections.remove(world.organizationId, connection.id, BY_SERVICE);
    await skipped(connection);
  });

  test('when the schedule has changed by now, which sends it to Scheduler again', async () => {
    const connection = await scheduled();
    const key = keys.connection(world.organizationId, connection.id);
    await table.update(key, { remove: ['due_pk', 'due_sk'] });
    await skipped(connection, { revision: 0 });
    world.advance(MESSAGING_LIMITS.messageGraceMs + 1);
    await world.sweep();
    const held = world.scheduler.held.get(scheduleName(world.organizationId, connection.id));
    expect(JSON.parse(held?.Target?.Input ?? '{}').revision).toBe(1);
    const off = scheduleAfter(connection, { enabled: false, frequencyMinutes: 60 }, nowMs());
    await connections.change(connection, { schedule: off }, BY_SERVICE);
    await skipped(connection);
  });

  test('when it becomes so between reading and writing', async () => {
    const connection = await scheduled();
    const run = { ...(await find(connection)) };
    await Promise.all([
      startScheduledRun(firing(run)),
      connections.change(run, { status: 'disabled' }, BY_SERVICE).catch(() => undefined),
      connections.remove(world.organizationId, run.id, BY_SERVICE).catch(() => undefined),
    ]);
    const after = await connections.find(world.organizationId, run.id);
    // No matter which side won: every run has its connection, and the connection knows every run.
    const ids = (await runsOf(connection)).map(({ id }) => id);
    expect(ids).toEqual(after?.openRuns ?? []);
  });
});

test('purge removes a schedule that came back', async () => {
  const connection = await scheduled();
  const name = scheduleName(world.organizationId, connection.id);
  await connections.remove(world.organizationId, connection.id, BY_SERVICE);
  world.scheduler.held.set(name, {} as never);
  for (let minute = 0; minute < 30; minute++) {
    world.advance(60_000);
    await world.sweep();
    await world.drain({ jump: true });
  }
  expect(world.scheduler.held.has(name)).toBe(false);
  expect(await table.get(keys.purge(world.organizationId, connection.id))).toBeUndefined();
});

test('what Scheduler sends is a message that the queue knows', async () => {
  const connection = await scheduled();
  const input = { kind: 'scheduled', ...firing(connection) };
  expect(SyncRequest.parse(input)).toEqual(input);
  expect(SyncRequest.safeParse({ ...input, scheduledAt: 'soon' }).success).toBe(false);
});
