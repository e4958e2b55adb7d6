/** Renewals of leases and slots, and the due entry of the task that they are held for. */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { withPatience } from '#shared/platform/patience.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { startHeartbeat } from '#shared/sync/task/heartbeat.ts';
import { renew, take } from '#shared/sync/task/lease.store.ts';
import { newTask, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { find, move, putTask } from '#shared/sync/task/task.store.ts';
import { parseDueMs } from '#shared/table/due-keys.ts';
import { keys } from '#shared/table/keys.ts';
import { extendLease, type Lease, LeaseLost, release, type SourceAccount } from '#shared/table/lease.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
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
  await table.transact([putTask(task, MESSAGING_LIMITS.messageGraceMs)]);
  return task;
};

const itemsOf = async ({ organizationId, scope }: Lease, { runId }: SyncTask) => ({
  lease: await table.get(keys.lease(organizationId, connectionId, scope)),
  slot: await table.get(keys.slot(organizationId, login.source, login.key, 0)),
  task: await table.get(keys.task(organizationId, connectionId, runId, scope)),
});

/** Time after which a silent worker loses its lease to another worker. */
const LOST_MS = SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;

describe('a renewal', () => {
  const dueInMs = async (lease: Lease, task: SyncTask): Promise<number> =>
    parseDueMs((await itemsOf(lease, task)).task as never) - nowMs();

  test('gives lease and slot another minute', async () => {
    const { lease, task } = await take(await queued(), login);
    world.advance(40_000);
    await renew(lease, task);
    const untilMs = nowMs() + SYNC_LIMITS.leaseMs;
    expect(lease.expiresAtMs).toBe(untilMs);
    const items = await itemsOf(lease, task);
    expect([items.lease!.expires_at_ms, items.slot!.expires_at_ms]).toEqual([untilMs, untilMs]);
  });

  test('moves the due entry before the sweeper looks, and not sooner', async () => {
    const { lease, task } = await take(await queued(), login);
    expect(await dueInMs(lease, task)).toBe(LOST_MS);
    const left: number[] = [];
    for (let n = 0; n < 6; n++) {
      world.advance(SYNC_LIMITS.leaseRenewMs);
      await renew(lease, task);
      left.push(await dueInMs(lease, task));
    }
    const [once, twice] = [LOST_MS - SYNC_LIMITS.leaseRenewMs, LOST_MS - 2 * SYNC_LIMITS.leaseRenewMs];
    expect(left).toEqual([once, twice, LOST_MS, once, twice, LOST_MS]);
  });

  test('waits for no other: while a busy table delays one, the next beat sends none', async () => {
    const { lease, task } = await take(await queued(), login);
    const beats: (() => void)[] = [];
    const timer = vi.spyOn(globalThis, 'setInterval').mockImplementation(((beat: () => void) => {
      beats.push(beat);
    }) as never);
    const heartbeat = startHeartbeat(lease, task, 600_000);
    timer.mockRestore();
    let updates = 0;
    world.refuse((call) => {
      if (call !== 'UpdateCommand' || ++updates > 1) return undefined;
      world.advance(SYNC_LIMITS.leaseRenewMs);
      beats[0]!();
      return Object.assign(new Error('busy'), { name: 'ThrottlingException' });
    });
    world.advance(20_000);
    await withPatience(() => 1_000, heartbeat.renewNow);
    world.refuse(null);
    heartbeat.stop();
    // The refused one, and one each for lease and slot.
    expect(updates).toBe(3);
    expect(heartbeat.signal.aborted).toBe(false);
  });

  test('is refused to a holder that was taken over', async () => {
    const { lease, task } = await take(await queued(), login);
    world.advance(LOST_MS + 1);
    await take(await queued(), login);
    await expect(renew(lease, task)).rejects.toBeInstanceOf(LeaseLost);
  });

  test('is refused where somebody moved the task, as a cancel does: nothing is held any longer', async () => {
    const { lease, task } = await take(await queued(), login);
    const before = await itemsOf(lease, task);
    await move(task, { generation: task.generation + 1 });
    world.advance(SYNC_LIMITS.leaseRenewMs);
    await expect(renew(lease, task)).rejects.toBeInstanceOf(LeaseLost);
    const { lease: after, slot } = await itemsOf(lease, task);
    expect([after, slot]).toEqual([before.lease, before.slot]);
  });

  test('is of the lease first: who dies after it leaves a slot that ends before it', async () => {
    const { lease, task } = await take(await queued(), login);
    const before = await itemsOf(lease, task);
    world.advance(SYNC_LIMITS.leaseRenewMs);
    const original = DynamoDBDocumentClient.prototype.send;
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    send.mockImplementation(async function (
      this: DynamoDBDocumentClient,
      command: { input: { Key?: { sk: string } } },
    ) {
      if (command.input.Key?.sk === 'SLOT#0') throw new Error('the process is gone');
      return original.call(this, command as never, undefined as never, undefined as never);
    } as never);
    await expect(renew(lease, task)).rejects.toThrow('the process is gone');
    send.mockRestore();
    const { lease: after, slot } = await itemsOf(lease, task);
    expect(after!.expires_at_ms).toBe(nowMs() + SYNC_LIMITS.leaseMs);
    expect(slot).toEqual(before.slot);
  });

  test('that comes after a later one changes nothing: neither end nor calls move back', async () => {
    const { lease, task } = await take(await queued(), login);
    const late = extendLease(lease, nowMs() + SYNC_LIMITS.leaseMs + 1);
    world.advance(SYNC_LIMITS.leaseRenewMs);
    await renew(lease, task);
    const renewed = await itemsOf(lease, task);
    for (const { update, ...change } of late)
      await expect(table.update(update, change)).rejects.toBeInstanceOf(LeaseLost);
    expect(await itemsOf(lease, task)).toEqual(renewed);
    await renew(lease, task);
  });

  test('that is late takes nothing back that was given back', async () => {
    const { lease, task } = await take(await queued(), login);
    await table.transact(release(lease));
    const given = await itemsOf(lease, task);
    await expect(renew(lease, task)).rejects.toBeInstanceOf(LeaseLost);
    expect(await itemsOf(lease, task)).toEqual(given);
    expect((await take(await queued(), login)).lease.slot).toMatchObject({ n: 0 });
  });
});

describe('the due entry of a task that is taken', () => {
  const found = async (dueInMs: number): Promise<SyncTask> => {
    const { organizationId } = world;
    const runId = randomUUID();
    const task = newTask({ organizationId, connectionId, runId, source: 'tax', scope: 'rcv' }, nowMs());
    await table.transact([putTask(task, dueInMs)]);
    return (await find(organizationId, connectionId, runId, 'rcv'))!;
  };
  const takenWith = async (dueInMs: number) => {
    const { lease, task } = await take(await found(dueInMs), null);
    expect(lease.lookedAtMs).toBe(parseDueMs((await itemsOf(lease, task)).task as never));
    return lease.lookedAtMs! - nowMs();
  };

  test('stays where it is early enough for the next renewals', async () => {
    expect(await takenWith(MESSAGING_LIMITS.messageGraceMs)).toBe(MESSAGING_LIMITS.messageGraceMs);
    world.advance(LOST_MS + 1);
    expect(await takenWith(LOST_MS)).toBe(LOST_MS);
  });

  test('is moved where the sweeper would look before them, or after the lease is over', async () => {
    expect(await takenWith(2 * SYNC_LIMITS.leaseRenewMs)).toBe(LOST_MS);
    world.advance(LOST_MS + 1);
    expect(await takenWith(LOST_MS + 1)).toBe(LOST_MS);
  });
});
