/**
 * Stores leases of scopes. A lease has a fence number that only grows. Index, checkpoint and outcome are conditional on
 * the fence, so a worker that lost its lease without noticing cannot write them any more.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { findLateWriters, lateWriterFields } from '#shared/table/late-writers.ts';
import { extendLease, type Lease, LeaseLost, release, type SourceAccount } from '#shared/table/lease.ts';
import { type LeaseRecord, leaseItem } from '#shared/table/lease-item.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { isHeld, LeaseTaken, wasHeldBy } from './may-take.ts';
import { findSlot, takeFound } from './slot.store.ts';
import { readEpoch, type SyncTask, takenChanges } from './task.rules.ts';
import { taskChange, taskItem } from './task.store.ts';

const free = { if: 'attribute_not_exists(pk) OR (#expires_at_ms <= :free AND attribute_not_exists(#tombstone))' };

/** Reads the record of a lease. It has no fields if the lease was never taken. */
const readLease = async (key: Key): Promise<LeaseRecord> => leaseItem.fromItem((await table.get(key)) ?? {});

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
  // The slot is checked before the lease. A task that needs both waits in the list of the login, which is read when any
  // slot of the login is released.
  const [held, found] = await Promise.all([
    readLease(leaseKey),
    login === null ? null : findSlot(organizationId, login, task.runId),
  ]);
  if (isHeld(held)) throw new LeaseTaken();

  const holder = holderOf(task, task.generation + 1);
  const fence = (held.fence ?? 0) + 1;
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  const late = findLateWriters(held);
  const taking = login && found ? takeFound(organizationId, login, found, { holder, expiresAtMs }) : null;
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
    reading: readEpoch(task) + (wasHeldBy(task.runId, held) ? 0 : 1),
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
    ...(taking ? [{ update: taking.update, ...taking.change }] : []),
  ]);
  return {
    lease: {
      organizationId,
      connectionId,
      scope,
      holder,
      fence,
      slot: taking?.slot ?? null,
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
  return wasHeldBy(task.runId, held) && isHeld(held) ? lookAfter(held.expiresAtMs ?? 0) : null;
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
