/**
 * A due entry may be early: the sweeper checks who holds the lease, and sends no reminder before the lease may be
 * taken.
 */
import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { startRun } from '#shared/sync/start-run.ts';
import { takeForRepair } from '#shared/sync/task/lease.store.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { beforeCalls } from '#test/helpers/before-calls.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();

/** A scope whose worker died in its first pull, just after it took the lease. */
const dead = async () => {
  const { world, source } = scripted;
  const connection = await world.connect({ login: randomUUID() });
  const inputMetadata = { periods: ['2026-10'] };
  const run = await startRun(connection, { runId: randomUUID(), scopes: ['rcv'], inputMetadata, trigger: 'manual' });
  source.script.beforePull = async () => {
    source.script.beforePull = null;
    world.dieAt(1);
    throw new Error('the process is gone');
  };
  await world.drain();
  const find = async () => (await tasks.find(world.organizationId, connection.id, run.id, 'rcv'))!;
  const status = async () => (await runs.find(world.organizationId, connection.id, run.id))!.status;
  const sent = () => world.messages.filter(({ body }) => body.runId === run.id);
  return { connection, find, status, sent, dueInMs: async () => (await find()).lookedAtMs! - nowMs() };
};

const LEFT_MS = SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;

test('while a dead worker’s lease lasts nobody is sent, and the entry falls due when it is over', async () => {
  const { world } = scripted;
  const { find, dueInMs, status, sent } = await dead();
  expect(await find()).toMatchObject({ state: 'working', generation: 2 });
  // The due entry is still that of the message, because the worker did not move it.
  expect(await dueInMs()).toBe(MESSAGING_LIMITS.messageGraceMs);
  world.advance(MESSAGING_LIMITS.messageGraceMs);
  await world.sweep();
  expect(sent()).toEqual([]);
  expect(await dueInMs()).toBe(LEFT_MS - MESSAGING_LIMITS.messageGraceMs);
  world.advance(LEFT_MS - MESSAGING_LIMITS.messageGraceMs);
  await world.sweep();
  expect(sent()).toHaveLength(1);
  await world.drain();
  expect(await status()).toBe('succeeded');
});

test('a checkpoint that is stored while the sweeper looks at the task stays', async () => {
  const { world } = scripted;
  const { find, dueInMs } = await dead();
  const month = { period: '2026-10', found: 3, created: 3, updated: 0, errorCode: null, errorMessage: null };
  let isStored = false;
  // The sweeper has read the task, and asks who holds the lease.
  const end = beforeCalls('LEASE#rcv', async () => {
    end();
    isStored = true;
    await tasks.move(await find(), { done: [month] });
  });
  world.advance(MESSAGING_LIMITS.messageGraceMs);
  await world.sweep();
  expect(isStored).toBe(true);
  expect(await find()).toMatchObject({ done: [month], generation: 2 });
  expect(await dueInMs()).toBe(LEFT_MS - MESSAGING_LIMITS.messageGraceMs);
});

test('a lease that is another’s by now is waited for, as any that is taken', async () => {
  const { world } = scripted;
  const { connection, find } = await dead();
  world.advance(LEFT_MS);
  const address = { organizationId: world.organizationId, connectionId: connection.id, scope: 'rcv' };
  const { done } = await takeForRepair(address);
  await world.sweep();
  await world.drain();
  expect((await find()).waitsFor).toEqual({ for: 'lease' });
  await done();
});

test('a task that waits for a lease is not planned before it has it', async () => {
  const { world } = scripted;
  const { connection } = await dead();
  const { id } = await startRun(connection, {
    runId: randomUUID(),
    scopes: ['rcv'],
    inputMetadata: {},
    trigger: 'manual',
  });
  await world.drain();
  const find = async () => (await tasks.find(world.organizationId, connection.id, id, 'rcv'))!;
  // The run before decides whether this is a first sync of all months.
  expect(await find()).toMatchObject({ waitsFor: { for: 'login' }, periods: null });
  for (let minute = 0; minute < 8; minute++) {
    world.advance(RECOVERY_LIMITS.sweepEveryMs);
    await world.sweep();
    await world.drain();
  }
  expect((await find()).periods).toContain('2026-11');
});
