/** Leases and slots in the table: who has them, how long, and what the next holder goes on with. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { renew, take, takeSlot } from '#shared/sync/lease.store.ts';
import { newTask, outcomeOf, type SyncTask } from '#shared/sync/task.rules.ts';
import { putTask } from '#shared/sync/task.store.ts';
import { keys } from '#shared/table/keys.ts';
import { type Lease, LeaseLost, release, type SourceAccount } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import type { EngineWorld } from '#test/helpers/engine.ts';
import { useScriptedEngine } from './scripted-engine.ts';

const scripted = useScriptedEngine();
let world: EngineWorld;
beforeAll(() => {
  ({ world } = scripted);
});

let login: SourceAccount;
let connectionId: string;
beforeEach(() => {
  login = { source: 'tax', key: randomUUID(), sessionsMax: 1 };
  connectionId = randomUUID();
});

const queued = async (changes: Partial<SyncTask> = {}): Promise<SyncTask> => {
  const { organizationId } = world;
  const named = { organizationId, connectionId, runId: randomUUID(), source: 'tax', scope: 'rcv' };
  const task = { ...newTask(named, nowMs()), ...changes };
  await table.transact([putTask(task, LIMITS.messageGraceMs)]);
  return task;
};

const itemsOf = async ({ organizationId, scope }: Lease, { runId }: SyncTask) => ({
  lease: await table.get(keys.lease(organizationId, connectionId, scope)),
  slot: await table.get(keys.slot(organizationId, login.source, login.key, 0)),
  task: await table.get(keys.task(organizationId, connectionId, runId, scope)),
});

describe('a renewal', () => {
  test('gives lease and slot another minute, and the sweeper no reason to look', async () => {
    const { lease, task } = await take(await queued(), login);
    world.advance(40_000);
    await renew(lease, task);
    const untilMs = nowMs() + LIMITS.leaseMs;
    expect(lease.expiresAtMs).toBe(untilMs);
    const items = await itemsOf(lease, task);
    expect([items.lease!.expires_at_ms, items.slot!.expires_at_ms]).toEqual([untilMs, untilMs]);
    const due = new Date(untilMs + LIMITS.leaseMarginMs).toISOString();
    expect(String(items.task!.due_sk).startsWith(due)).toBe(true);
  });

  test('is refused to a holder that was taken over', async () => {
    const { lease, task } = await take(await queued(), login);
    world.advance(LIMITS.leaseMs + LIMITS.leaseMarginMs + 1);
    await take(await queued(), login);
    await expect(renew(lease, task)).rejects.toBeInstanceOf(LeaseLost);
  });
});

describe('a slot', () => {
  const holder = 'logout:1';

  test('in use is nobody else’s, until it is over by the margin', async () => {
    const { lease } = await take(await queued(), login);
    const taken = () => takeSlot(world.organizationId, login, 0, holder);
    expect(await taken()).toBe(false);
    world.advance(LIMITS.leaseMs + LIMITS.leaseMarginMs - 1);
    expect(await taken()).toBe(false);
    expect((await table.get(keys.slot(world.organizationId, 'tax', login.key, 0)))!.holder).toBe(lease.holder);
    world.advance(1);
    expect(await taken()).toBe(true);
  });

  test('that was given back is free at once', async () => {
    const { lease } = await take(await queued(), login);
    await table.transact(release(lease));
    expect(await takeSlot(world.organizationId, login, 0, holder)).toBe(true);
  });
});

describe('the next try', () => {
  const answers = [{ key: 'part-1', id: randomUUID(), at: '2026-11-21T12:00:00.000Z' }];
  const isOver = () => world.advance(LIMITS.leaseMs + LIMITS.leaseMarginMs + 1);

  test('goes on with the answers that its own run kept', async () => {
    const { task } = await take(await queued({ answers }), null);
    expect(task.answers).toEqual([]);
    const kept = { ...task, answers };
    await table.transact([putTask(kept, LIMITS.messageGraceMs)]);
    isOver();
    expect((await take(kept, null)).task.answers).toEqual(answers);
  });

  test('asks anew where another run had the scope meanwhile', async () => {
    const { task } = await take(await queued(), null);
    const kept = { ...task, answers };
    await table.transact([putTask(kept, LIMITS.messageGraceMs)]);
    isOver();
    await take(await queued(), null);
    isOver();
    expect((await take(kept, null)).task.answers).toEqual([]);
  });

  test('counts its time from the first one', async () => {
    const begun = nowIso();
    const { task } = await take(await queued(), null);
    expect(task.firstLeasedAt).toBe(begun);
    isOver();
    const again = (await take(task, null)).task;
    expect(again.firstLeasedAt).toBe(begun);
    const { durationMs } = outcomeOf(again, nowMs(), null);
    expect(durationMs).toBe(LIMITS.leaseMs + LIMITS.leaseMarginMs + 1);
  });
});
