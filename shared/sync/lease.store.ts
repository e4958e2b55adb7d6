/**
 * Leases of scopes and slots of logins. A lease carries a fence number that only grows: index, checkpoint and outcome
 * are conditional on it, so that a worker that lost its lease without noticing can no longer decide anything.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { lateWriterFields, lateWritersOf } from '#shared/table/late-writers.ts';
import { extendLease, type Lease, LeaseLost, release, type SourceAccount } from '#shared/table/lease.ts';
import { type LeaseRecord, leaseItem } from '#shared/table/lease-item.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { attemptsAfterLease, type SyncTask } from './task.rules.ts';
import { taskChange } from './task.store.ts';

/** Lease or slot is held by somebody else. */
export class LeaseTaken extends AppError {}
/** No slot of the login is free. */
export class SlotTaken extends LeaseTaken {}
/** Held: not released, and its end not yet over by the margin in which a slow holder may still be writing. */
const isHeld = ({ tombstone, expiresAtMs = 0 }: LeaseRecord): boolean =>
  tombstone === true || expiresAtMs > nowMs() - LIMITS.leaseMarginMs;

/** Without fields where nobody ever had it. */
const readLease = async (key: Key): Promise<LeaseRecord> => leaseItem.fromItem((await table.get(key)) ?? {});

const free = { if: 'attribute_not_exists(pk) OR (#expires_at_ms <= :free AND attribute_not_exists(#tombstone))' };

const freeSlot = async (organizationId: OrganizationId, login: SourceAccount): Promise<number | undefined> => {
  const { pk, prefix } = keys.slots(organizationId, login.source, login.key);
  const slots = await table.query(pk, { prefix });
  const held = new Set(slots.filter((slot) => isHeld(leaseItem.fromItem(slot))).map((slot) => slot.sk));
  for (let n = 0; n < login.sessionsMax; n++)
    if (!held.has(keys.slot(organizationId, login.source, login.key, n).sk)) return n;
  return undefined;
};

export const isLoginFree = async (organizationId: OrganizationId, login: SourceAccount): Promise<boolean> =>
  (await freeSlot(organizationId, login)) !== undefined;

export const isLeaseFree = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scope: string,
): Promise<boolean> => !isHeld(await readLease(keys.lease(organizationId, connectionId, scope)));

const holderOf = (task: Pick<SyncTask, 'runId'>, generation: number | ''): string => `${task.runId}:${generation}`;

const wasHeldBy = (task: SyncTask, { holder }: LeaseRecord): boolean => holder?.startsWith(holderOf(task, '')) ?? false;

/**
 * Takes the scope's lease, a slot of the login and the task itself in one transaction. Without a login (the scope is
 * only to be closed) no slot is taken. Throws `SlotTaken`, `LeaseTaken`, or `TaskConflict` when the message is stale.
 */
export const take = async (task: SyncTask, login: SourceAccount | null): Promise<{ lease: Lease; task: SyncTask }> => {
  const { organizationId, connectionId, scope } = task;
  const leaseKey = keys.lease(organizationId, connectionId, scope);
  const [held, n] = await Promise.all([
    readLease(leaseKey),
    login === null ? undefined : freeSlot(organizationId, login),
  ]);
  // The slot first: whoever waits for both is found by all who share the login.
  if (login !== null && n === undefined) throw new SlotTaken();
  if (isHeld(held)) throw new LeaseTaken();

  const holder = holderOf(task, task.generation + 1);
  const fence = (held.fence ?? 0) + 1;
  const expiresAtMs = nowMs() + LIMITS.leaseMs;
  const late = lateWritersOf(held);
  const values = { free: nowMs() - LIMITS.leaseMarginMs };
  const taken: SyncTask = {
    ...task,
    generation: task.generation + 1,
    stateChangedAtMs: nowMs(),
    waitsFor: null,
    state: 'working',
    attempts: attemptsAfterLease(task),
    firstLeasedAt: task.firstLeasedAt ?? nowIso(),
    // Another run had the scope meanwhile: what was kept before may be older than what is stored now.
    answers: wasHeldBy(task, held) ? task.answers : [],
  };
  await table.transact([
    taskChange(task, taken, LIMITS.leaseMs + LIMITS.leaseMarginMs),
    {
      update: leaseKey,
      set: leaseItem.toChanges({ holder, fence, expiresAtMs, ...lateWriterFields(late) }),
      if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence < :fence)`,
      values: { ...values, fence },
      otherwise: () => new LeaseTaken(),
    },
    ...(login === null || n === undefined
      ? []
      : [
          {
            update: keys.slot(organizationId, login.source, login.key, n),
            set: leaseItem.toChanges({ holder, expiresAtMs }),
            ...free,
            values,
            otherwise: () => new SlotTaken(),
          },
        ]),
  ]);
  return {
    lease: {
      organizationId,
      connectionId,
      scope,
      holder,
      fence,
      slot: login === null || n === undefined ? null : { login, n },
      late,
      expiresAtMs,
    },
    task: taken,
  };
};

/** Another minute for lease, slot and the task's due entry. Throws `LeaseLost` or `TaskConflict`. */
export const renew = async (
  lease: Lease,
  task: Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope' | 'generation'>,
): Promise<void> => {
  const expiresAtMs = nowMs() + LIMITS.leaseMs;
  const taskKey = keys.task(task.organizationId, task.connectionId, task.runId, task.scope);
  await table.transact([
    {
      update: taskKey,
      set: dueIn(taskKey, LIMITS.leaseMs + LIMITS.leaseMarginMs),
      if: '#hop = :hop AND #state = :working',
      values: { hop: task.generation, working: 'working' },
      otherwise: () => new LeaseLost(),
    },
    ...extendLease(lease, expiresAtMs),
  ]);
  lease.expiresAtMs = expiresAtMs;
};

/** The lease of a scope without a task under way, to make its index right. Throws `LeaseTaken`. */
export const takeForRepair = async (address: {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
}): Promise<{ lease: Lease; done: () => Promise<void> }> => {
  const key = keys.lease(address.organizationId, address.connectionId, address.scope);
  const expiresAtMs = nowMs() + LIMITS.leaseMs;
  const holder = `repair:${expiresAtMs}`;
  const held = await readLease(key);
  const late = lateWritersOf(held);
  const taken = await table.update(key, {
    set: leaseItem.toChanges({ holder, expiresAtMs, ...lateWriterFields(late) }),
    add: { fence: 1 },
    if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence = :seen)`,
    values: { free: nowMs() - LIMITS.leaseMarginMs, seen: held.fence ?? 0 },
    otherwise: () => new LeaseTaken(),
  });
  const fence = leaseItem.fromItem(taken).fence!;
  const lease: Lease = { ...address, holder, fence, slot: null, late, expiresAtMs };
  return { lease, done: () => table.transact(release(lease)) };
};

/**
 * A slot alone, to log a kept session out. Answers false when somebody holds it: then the session is in use.
 */
export const takeSlot = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
  holder: string,
): Promise<boolean> => {
  try {
    await table.update(keys.slot(organizationId, login.source, login.key, n), {
      set: leaseItem.toChanges({ holder, expiresAtMs: nowMs() + LIMITS.leaseMs }),
      ...free,
      values: { free: nowMs() - LIMITS.leaseMarginMs },
      otherwise: () => new LeaseTaken(),
    });
    return true;
  } catch (error) {
    if (error instanceof LeaseTaken) return false;
    throw error;
  }
};

export const releaseSlot = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
  holder: string,
): Promise<void> => {
  await table.update(keys.slot(organizationId, login.source, login.key, n), {
    set: leaseItem.toChanges({ expiresAtMs: 0 }),
    if: '#holder = :holder',
    values: { holder },
  });
};
