/** Leases and slots in the table: who has them, for how long, and where the next holder continues. */
import { randomUUID } from 'node:crypto';
import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { makeIo } from '#shared/sync/login/source-io.ts';
import { lastFenceLeft, renew, take } from '#shared/sync/task/lease.store.ts';
import { SlotTaken } from '#shared/sync/task/may-take.ts';
import { releaseSlot, takeSlot } from '#shared/sync/task/slot.store.ts';
import { buildOutcome, newTask, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { putTask } from '#shared/sync/task/task.store.ts';
import { keys } from '#shared/table/keys.ts';
import { checkUnexpired, type Lease, LeaseLost, release, type SourceAccount } from '#shared/table/lease.ts';
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

const holder = 'logout:1';

/** Time after which a silent worker loses its lease to another worker. */
const LOST_MS = SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs;

describe('a slot', () => {
  test('in use is nobody else’s, until it is over by the margin', async () => {
    const { lease } = await take(await queued(), login);
    const taken = () => takeSlot(world.organizationId, login, 0, holder);
    expect(await taken()).toBeNull();
    world.advance(SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs - 1);
    expect(await taken()).toBeNull();
    expect((await table.get(keys.slot(world.organizationId, 'tax', login.key, 0)))!.holder).toBe(lease.holder);
    world.advance(1);
    expect(await taken()).toMatchObject({ n: 0 });
  });

  test('that was given back is free at once', async () => {
    const { lease } = await take(await queued(), login);
    await table.transact(release(lease));
    expect(await takeSlot(world.organizationId, login, 0, holder)).toMatchObject({ n: 0 });
  });
});

describe('the pace of a login', () => {
  const CALLS = 98;
  const paceIs = (pace: string) => vi.stubEnv('SOURCE_TAX_PACE', pace);
  beforeEach(() => void paceIs('2000,100,600000'));
  afterEach(() => void vi.unstubAllEnvs());

  const call = ({ slot }: Lease, calls: number): void => {
    for (let n = 0; n < calls; n++) {
      world.advance(2_000);
      slot!.turns.count('calls', nowMs());
    }
  };
  const nextOf = ({ slot }: Lease): number => slot!.turns.next('calls', nowMs()) - nowMs();

  test('continues with the slot, for any next task', async () => {
    const { lease, task } = await take(await queued(), login);
    expect(nextOf(lease)).toBe(0);
    call(lease, 10);
    await renew(lease, task);
    call(lease, CALLS - 10);
    await table.transact(release(lease));
    const { lease: next } = await take(await queued(), login);
    expect(nextOf(next)).toBeGreaterThan(300_000);
    await table.transact(release(next));
    const leaving = (await takeSlot(world.organizationId, login, 0, 'logout:1'))!;
    expect(leaving.turns.next('calls', nowMs(), { isLast: true }) - nowMs()).toBeLessThanOrEqual(2_000);
    leaving.turns.count('calls', nowMs());
    await releaseSlot(world.organizationId, leaving, 'logout:1');
    const { lease: last } = await take(await queued(), login);
    expect(last.slot!.turns.next('calls', nowMs(), { isLast: true }) - nowMs()).toBeLessThanOrEqual(2_000);
    last.slot!.turns.count('calls', nowMs());
    expect(last.slot!.turns.next('calls', nowMs(), { isLast: true }) - nowMs()).toBeGreaterThan(300_000);
  });

  test('counts the calls that a dead worker may have made since its last report', async () => {
    const { lease } = await take(await queued(), login);
    call(lease, 20);
    world.advance(SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs + 1);
    const { lease: next } = await take(await queued(), login);
    call(next, CALLS - 31);
    expect(nextOf(next)).toBe(2_000);
    call(next, 1);
    expect(nextOf(next)).toBeGreaterThan(200_000);
  });

  test('a worker that was frozen for longer than its lease makes no more calls', async () => {
    const { lease } = await take(await queued(), login);
    const { turns } = lease.slot!;
    const visit = { signal: new AbortController().signal, credentials: {}, turns, login: async () => 0 as never };
    const io = makeIo(requireManifest('tax'), { ...visit, checkSlot: () => checkUnexpired(lease) });
    await io.turn('calls');
    const told = turns.toStored(nowMs());
    world.advance(SYNC_LIMITS.leaseMs);
    await expect(io.turn('calls')).rejects.toBeInstanceOf(LeaseLost);
    expect(turns.toStored(nowMs())).toEqual(told);
  });

  test('a slot that rests is nobody’s until its turn', async () => {
    const { lease } = await take(await queued(), login);
    await table.transact(release(lease, { restsUntilMs: nowMs() + 400_000 }));
    await expect(take(await queued(), login)).rejects.toBeInstanceOf(SlotTaken);
    expect(await takeSlot(world.organizationId, login, 0, holder)).toBeNull();
    world.advance(399_999);
    await expect(take(await queued(), login)).rejects.toBeInstanceOf(SlotTaken);
    world.advance(1);
    expect((await take(await queued(), login)).lease.slot).toMatchObject({ n: 0 });
  });

  test('a slot that somebody took and gave back meanwhile is not taken as it was', async () => {
    const { lease } = await take(await queued(), login);
    await table.transact(release(lease));
    const task = await queued();
    const original = DynamoDBDocumentClient.prototype.send;
    const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
    let isBetween = true;
    send.mockImplementation(async function (this: DynamoDBDocumentClient, command: never) {
      if (isBetween && (command as object) instanceof TransactWriteCommand) {
        isBetween = false;
        const other = (await takeSlot(world.organizationId, login, 0, holder))!;
        await releaseSlot(world.organizationId, other, holder);
      }
      return original.call(this, command, undefined as never, undefined as never);
    } as never);
    await expect(take(task, login)).rejects.toBeInstanceOf(SlotTaken);
    send.mockRestore();
  });
});

describe('the next attempt', () => {
  const isOver = () => world.advance(LOST_MS + 1);

  test('continues the reading that its own run began', async () => {
    const { task } = await take(await queued(), null);
    isOver();
    expect((await take(task, null)).task.reading).toBe(task.reading);
  });

  test('reads again if another run had the scope meanwhile', async () => {
    const { task } = await take(await queued(), null);
    isOver();
    await take(await queued(), null);
    isOver();
    expect((await take(task, null)).task.reading).toBeGreaterThan(task.reading!);
  });

  test('counts its time from the first lease', async () => {
    const begun = nowIso();
    const { task } = await take(await queued(), null);
    expect(task.firstLeasedAt).toBe(begun);
    isOver();
    const again = (await take(task, null)).task;
    expect(again.firstLeasedAt).toBe(begun);
    const { durationMs } = buildOutcome(again, nowMs(), null);
    expect(durationMs).toBe(SYNC_LIMITS.leaseMs + TABLE_LIMITS.leaseMarginMs + 1);
  });
});

test('without a holder, the last fence is that before the holder, and the highest if there is no holder', async () => {
  const left = () => lastFenceLeft(world.organizationId, connectionId, 'rcv');
  expect(await left()).toBe(0);
  const { lease } = await take(await queued(), null);
  expect([lease.fence, await left()]).toEqual([1, 0]);
  world.advance(LOST_MS - 1);
  expect(await left()).toBe(0);
  world.advance(1);
  expect(await left()).toBe(1);
  const { lease: next } = await take(await queued(), null);
  expect([next.fence, await left()]).toEqual([2, 1]);
  await table.transact(release(next));
  expect(await left()).toBe(2);
  await table.update(keys.lease(world.organizationId, connectionId, 'rcv'), { set: { tombstone: true } });
  expect(await left()).toBe(0);
});
