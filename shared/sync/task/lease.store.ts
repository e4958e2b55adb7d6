/**
 * Stores leases of scopes and slots of logins. A lease has a fence number that only grows. Index, checkpoint and
 * outcome are conditional on the fence, so a worker that lost its lease without noticing cannot write them any more.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { findLateWriters, lateWriterFields } from '#shared/table/late-writers.ts';
import { extendLease, type Lease, LeaseLost, release, type Slot, type SourceAccount } from '#shared/table/lease.ts';
import { type LeaseRecord, leaseItem } from '#shared/table/lease-item.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { LoginTurns } from '#shared/values/login-turns.ts';
import { restoreTurns } from './pace.ts';
import { readEpoch, type SyncTask, takenChanges } from './task.rules.ts';
import { taskChange, taskItem } from './task.store.ts';

/** Another worker holds the lease or slot. */
export class LeaseTaken extends AppError {}
/** No slot of the login is free. */
export class SlotTaken extends LeaseTaken {}
/**
 * True if the lease is held. A lease is held until it is released or until its end plus a margin, in which a slow
 * holder may still be writing.
 */
const isHeld = ({ tombstone, expiresAtMs = 0, restsUntilMs = 0 }: LeaseRecord): boolean =>
  tombstone === true || expiresAtMs > nowMs() - TABLE_LIMITS.leaseMarginMs || restsUntilMs > nowMs();

/** Reads the record of a lease. It has no fields if the lease was never taken. */
const readLease = async (key: Key): Promise<LeaseRecord> => leaseItem.fromItem((await table.get(key)) ?? {});

const free = { if: 'attribute_not_exists(pk) OR (#expires_at_ms <= :free AND attribute_not_exists(#tombstone))' };

interface FreeSlot {
  n: number;
  /** The slot's record as stored. It has no fields if the slot was never taken. */
  record: LeaseRecord;
}

const freeSlot = async (organizationId: OrganizationId, login: SourceAccount): Promise<FreeSlot | undefined> => {
  const { pk, prefix } = keys.slots(organizationId, login.source, login.key);
  const slots = new Map((await table.query(pk, { prefix })).map((slot) => [slot.sk, leaseItem.fromItem(slot)]));
  for (let n = 0; n < login.sessionsMax; n++) {
    const record = slots.get(keys.slot(organizationId, login.source, login.key, n).sk) ?? {};
    if (!isHeld(record)) return { n, record };
  }
  return undefined;
};

/**
 * Returns the changes that take a slot. They also end the slot's rest, which a worker with a slow clock would still
 * see.
 */
const takenSlot = (holder: string, expiresAtMs: number, turns: LoginTurns) =>
  leaseItem.toChanges({ holder, expiresAtMs, turns: turns.toStored(nowMs()), restsUntilMs: 0 });

/**
 * Returns the condition that the slot is free and has the same holder as when it was read, so that the calls of a
 * holder in between are not lost.
 */
const freeAsSeen = ({ holder }: LeaseRecord) => ({
  if: `(${free.if}) AND ${holder === undefined ? 'attribute_not_exists(#holder)' : '#holder = :seen'}`,
  values: { free: nowMs() - TABLE_LIMITS.leaseMarginMs, ...(holder === undefined ? {} : { seen: holder }) },
});

export const isLoginFree = async (organizationId: OrganizationId, login: SourceAccount): Promise<boolean> =>
  (await freeSlot(organizationId, login)) !== undefined;

export const isLeaseFree = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scope: string,
): Promise<boolean> => !isHeld(await readLease(keys.lease(organizationId, connectionId, scope)));

/** Lower than every fence: the first fence is 1. */
const NO_FENCE = 0;

/**
 * Returns the highest fence of the scope whose lease is over, or 0 if there is no such lease or the connection is
 * deleted.
 */
export const lastFenceLeft = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scope: string,
): Promise<number> => {
  const record = await readLease(keys.lease(organizationId, connectionId, scope));
  const { fence = NO_FENCE, tombstone = false } = record;
  if (tombstone) return NO_FENCE;
  return isHeld(record) ? fence - 1 : fence;
};

/** Returns when the sweeper checks a task whose worker may have died. No other worker gets the lease earlier. */
const lookAfter = (expiresAtMs: number): number => expiresAtMs + TABLE_LIMITS.leaseMarginMs;

/**
 * True if the due entry can stay, since moving it costs three times as much as a lease renewal. The entry may be early
 * but never late, and two more renewals must come before the sweeper checks the task.
 */
const isSoonEnough = (lookedAtMs: number | undefined, expiresAtMs: number): boolean =>
  lookedAtMs !== undefined &&
  lookedAtMs > nowMs() + 2 * SYNC_LIMITS.leaseRenewMs &&
  lookedAtMs <= lookAfter(expiresAtMs);

/** Returns a holder name that no earlier holder had, since the scopes of a run take the same slot in turn. */
const holderOf = ({ runId, scope }: Pick<SyncTask, 'runId' | 'scope'>, generation: number): string =>
  `${runId}:${scope}:${generation}`;

const wasHeldBy = ({ runId }: SyncTask, { holder }: LeaseRecord): boolean => holder?.startsWith(`${runId}:`) ?? false;

/**
 * Takes the scope's lease, a slot of the login and the task in one transaction. If `login` is null, no slot is taken,
 * because the scope only has to be closed.
 *
 * @throws SlotTaken
 * @throws LeaseTaken
 * @throws TaskConflict if the message is stale
 */
export const take = async (
  task: SyncTask,
  login: SourceAccount | null,
  { isShared = false, ...changes }: Partial<SyncTask> = {},
): Promise<{ lease: Lease; task: SyncTask }> => {
  const { organizationId, connectionId, scope } = task;
  const leaseKey = keys.lease(organizationId, connectionId, scope);
  const [held, slot] = await Promise.all([
    readLease(leaseKey),
    login === null ? undefined : freeSlot(organizationId, login),
  ]);
  // The slot is checked before the lease. A task that needs both waits in the list of the login, which is read when any
  // slot of the login is released.
  if (login !== null && slot === undefined) throw new SlotTaken();
  if (isHeld(held)) throw new LeaseTaken();

  const holder = holderOf(task, task.generation + 1);
  const fence = (held.fence ?? 0) + 1;
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  const late = findLateWriters(held);
  const taking = login && slot ? { login, n: slot.n, turns: restoreTurns(login, slot.record) } : null;
  const values = { free: nowMs() - TABLE_LIMITS.leaseMarginMs };
  const moved: Partial<SyncTask> = {
    ...changes,
    generation: task.generation + 1,
    stateChangedAtMs: nowMs(),
    waitsFor: null,
    ...takenChanges(task, isShared),
    firstLeasedAt: task.firstLeasedAt ?? nowIso(),
    firstFence: task.firstFence ?? fence,
    // Another run held the scope in the meantime, so stored answers may be older than the stored rows.
    reading: readEpoch(task) + (wasHeldBy(task, held) ? 0 : 1),
  };
  const isLookedAt = isSoonEnough(task.lookedAtMs, expiresAtMs);
  const lookedAtMs = isLookedAt ? task.lookedAtMs! : lookAfter(expiresAtMs);
  await table.transact([
    taskChange(task, moved, isLookedAt ? undefined : lookedAtMs - nowMs()),
    {
      update: leaseKey,
      set: leaseItem.toChanges({ holder, fence, expiresAtMs, ...lateWriterFields(late) }),
      if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence < :fence)`,
      values: { ...values, fence },
      otherwise: () => new LeaseTaken(),
    },
    ...(taking
      ? [
          {
            update: keys.slot(organizationId, taking.login.source, taking.login.key, taking.n),
            set: takenSlot(holder, expiresAtMs, taking.turns),
            ...freeAsSeen(slot!.record),
            otherwise: () => new SlotTaken(),
          },
        ]
      : []),
  ]);
  return {
    lease: {
      organizationId,
      connectionId,
      scope,
      holder,
      fence,
      slot: taking,
      late,
      expiresAtMs,
      lookedAtMs,
    },
    task: { ...task, ...moved },
  };
};

type TaskName = Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope' | 'generation'>;

/**
 * Extends lease and slot by 60 s, with one write for each. The lease is written first. If the worker dies between the
 * two writes, the slot ends before the lease.
 *
 * @throws LeaseLost also if another process moved the task, for example a cancel
 */
export const renew = async (lease: Lease, task: TaskName): Promise<void> => {
  const taskKey = keys.task(task.organizationId, task.connectionId, task.runId, task.scope);
  if (!isStillAt(await table.get(taskKey), task.generation)) throw new LeaseLost();
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  for (const { update, ...change } of extendLease(lease, expiresAtMs)) await table.update(update, change);
  lease.expiresAtMs = expiresAtMs;
  if (isSoonEnough(lease.lookedAtMs, expiresAtMs)) return;
  const lookedAtMs = lookAfter(expiresAtMs);
  await table.update(taskKey, {
    set: dueIn(taskKey, lookedAtMs - nowMs()),
    if: '#hop = :generation AND #state = :working',
    values: { generation: task.generation, working: 'working' },
    otherwise: () => new LeaseLost(),
  });
  lease.lookedAtMs = lookedAtMs;
};

const isStillAt = (found: table.Item | undefined, generation: number): boolean =>
  found !== undefined && taskItem.fromItem(found).generation === generation;

/**
 * Returns when another worker may take the lease of a working task, in epoch ms. Null if the lease is free or another
 * run holds the lease.
 */
export const heldUntil = async (task: SyncTask): Promise<number | null> => {
  const held = await readLease(keys.lease(task.organizationId, task.connectionId, task.scope));
  return wasHeldBy(task, held) && isHeld(held) ? lookAfter(held.expiresAtMs ?? 0) : null;
};

/**
 * Takes the lease of a scope that has no running task, to repair the scope's index.
 *
 * @throws LeaseTaken
 */
export const takeForRepair = async (address: {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
}): Promise<{ lease: Lease; done: () => Promise<void> }> => {
  const key = keys.lease(address.organizationId, address.connectionId, address.scope);
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  const holder = `repair:${newId()}`;
  const held = await readLease(key);
  const late = findLateWriters(held);
  const taken = await table.update(key, {
    set: leaseItem.toChanges({ holder, expiresAtMs, ...lateWriterFields(late) }),
    add: { fence: 1 },
    if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence = :seen)`,
    values: { free: nowMs() - TABLE_LIMITS.leaseMarginMs, seen: held.fence ?? 0 },
    otherwise: () => new LeaseTaken(),
  });
  const fence = leaseItem.fromItem(taken).fence!;
  const lease: Lease = { ...address, holder, fence, slot: null, late, expiresAtMs };
  return { lease, done: () => table.transact(release(lease)) };
};

/**
 * Takes only a slot, to log out a stored session. Returns null if the slot rests, or if another worker holds the slot
 * and so uses the session.
 */
export const takeSlot = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
  holder: string,
): Promise<Slot | null> => {
  const key = keys.slot(organizationId, login.source, login.key, n);
  const record = await readLease(key);
  if (isHeld(record)) return null;
  const turns = restoreTurns(login, record);
  try {
    await table.update(key, {
      set: takenSlot(holder, nowMs() + SYNC_LIMITS.leaseMs, turns),
      ...freeAsSeen(record),
      otherwise: () => new LeaseTaken(),
    });
    return { login, n, turns };
  } catch (error) {
    if (error instanceof LeaseTaken) return null;
    throw error;
  }
};

export const releaseSlot = async (
  organizationId: OrganizationId,
  { login, n, turns }: Slot,
  holder: string,
): Promise<void> => {
  await table.update(keys.slot(organizationId, login.source, login.key, n), {
    set: leaseItem.toChanges({ expiresAtMs: 0, turns: turns.toStored(nowMs()) }),
    if: '#holder = :holder',
    values: { holder },
  });
};
