/**
 * Leases of scopes and slots of logins. A lease carries a fence number that only grows: index, checkpoint and outcome
 * are conditional on it, so that a worker that lost its lease without noticing can no longer decide anything.
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
import { attemptsAfterLease, readEpoch, type SyncTask } from './task.rules.ts';
import { taskChange, taskItem } from './task.store.ts';

/** Lease or slot is held by somebody else. */
export class LeaseTaken extends AppError {}
/** No slot of the login is free. */
export class SlotTaken extends LeaseTaken {}
/** Held: not released, and its end not yet over by the margin in which a slow holder may still be writing. */
const isHeld = ({ tombstone, expiresAtMs = 0, restsUntilMs = 0 }: LeaseRecord): boolean =>
  tombstone === true || expiresAtMs > nowMs() - TABLE_LIMITS.leaseMarginMs || restsUntilMs > nowMs();

/** Without fields where nobody ever had it. */
const readLease = async (key: Key): Promise<LeaseRecord> => leaseItem.fromItem((await table.get(key)) ?? {});

const free = { if: 'attribute_not_exists(pk) OR (#expires_at_ms <= :free AND attribute_not_exists(#tombstone))' };

interface FreeSlot {
  n: number;
  /** As stored: without fields where nobody ever had it. */
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

/** A rest ends when the slot is taken: by a clock that is behind it would go on. */
const takenSlot = (holder: string, expiresAtMs: number, turns: LoginTurns) =>
  leaseItem.toChanges({ holder, expiresAtMs, turns: turns.toStored(nowMs()), restsUntilMs: 0 });

/** Free, and as it was read: calls that somebody made since are not forgotten. */
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

/** Before the first fence, which is 1. */
const NO_FENCE = 0;

/** The highest fence of the scope whose lease nobody holds any more; 0 where there is none, or the connection is deleted. */
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

/** When the sweeper is to look at a task whose worker is not heard of any more: nobody gets the lease before. */
const lookAfter = (expiresAtMs: number): number => expiresAtMs + TABLE_LIMITS.leaseMarginMs;

/**
 * Does a due entry stay as it is? It may be early and is never late; to move it costs three times as much as to renew a
 * lease. The next two renewals come before the sweeper does.
 */
const isSoonEnough = (lookedAtMs: number | undefined, expiresAtMs: number): boolean =>
  lookedAtMs !== undefined &&
  lookedAtMs > nowMs() + 2 * SYNC_LIMITS.leaseRenewMs &&
  lookedAtMs <= lookAfter(expiresAtMs);

/** One name for each taking: scopes of a run take the same slot one after the other. */
const holderOf = ({ runId, scope }: Pick<SyncTask, 'runId' | 'scope'>, generation: number): string =>
  `${runId}:${scope}:${generation}`;

const wasHeldBy = ({ runId }: SyncTask, { holder }: LeaseRecord): boolean => holder?.startsWith(`${runId}:`) ?? false;

/**
 * Takes the scope's lease, a slot of the login and the task itself in one transaction. Without a login (the scope is
 * only to be closed) no slot is taken. Throws `SlotTaken`, `LeaseTaken`, or `TaskConflict` when the message is stale.
 */
export const take = async (
  task: SyncTask,
  login: SourceAccount | null,
  changes: Partial<SyncTask> = {},
): Promise<{ lease: Lease; task: SyncTask }> => {
  const { organizationId, connectionId, scope } = task;
  const leaseKey = keys.lease(organizationId, connectionId, scope);
  const [held, slot] = await Promise.all([
    readLease(leaseKey),
    login === null ? undefined : freeSlot(organizationId, login),
  ]);
  // The slot first: whoever waits for both is found by all who share the login.
  if (login !== null && slot === undefined) throw new SlotTaken();
  if (isHeld(held)) throw new LeaseTaken();

  const holder = holderOf(task, task.generation + 1);
  const fence = (held.fence ?? 0) + 1;
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  const late = findLateWriters(held);
  const taking = login && slot ? { login, n: slot.n, turns: restoreTurns(login, slot.record) } : null;
  const values = { free: nowMs() - TABLE_LIMITS.leaseMarginMs };
  const taken: SyncTask = {
    ...task,
    ...changes,
    generation: task.generation + 1,
    stateChangedAtMs: nowMs(),
    waitsFor: null,
    state: 'working',
    attempts: attemptsAfterLease(task),
    firstLeasedAt: task.firstLeasedAt ?? nowIso(),
    firstFence: task.firstFence ?? fence,
    // Another run had the scope meanwhile: what was kept before may be older than what is stored now.
    reading: readEpoch(task) + (wasHeldBy(task, held) ? 0 : 1),
  };
  const isLookedAt = isSoonEnough(task.lookedAtMs, expiresAtMs);
  const lookedAtMs = isLookedAt ? task.lookedAtMs! : lookAfter(expiresAtMs);
  await table.transact([
    taskChange(task, taken, isLookedAt ? undefined : lookedAtMs - nowMs()),
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
    task: taken,
  };
};

type TaskName = Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope' | 'generation'>;

/**
 * Another minute for lease and slot, a write each. The lease first: who dies in between leaves a slot that ends before it,
 * and whoever looks at the lease knows of both. A task that somebody moved, as a cancel does, is not worked on. Throws
 * `LeaseLost`.
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

/** When the lease of a task that is worked on may be another's, epoch ms; null: it is another's, or free. */
export const heldUntil = async (task: SyncTask): Promise<number | null> => {
  const held = await readLease(keys.lease(task.organizationId, task.connectionId, task.scope));
  return wasHeldBy(task, held) && isHeld(held) ? lookAfter(held.expiresAtMs ?? 0) : null;
};

/** The lease of a scope without a task under way, to make its index right. Throws `LeaseTaken`. */
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

/** A slot alone, to log a kept session out. Null when somebody holds it: then the session is in use; or when it rests. */
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
