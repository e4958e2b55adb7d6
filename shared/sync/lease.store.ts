/**
 * Leases of scopes and slots of logins. A lease carries a fence number that only grows: index, checkpoint and outcome
 * are conditional on it, so that a worker that lost its lease without noticing can no longer decide anything.
 */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { keys } from '#shared/table/keys.ts';
import { lateWriterAttributes, lateWritersOf } from '#shared/table/late-writers.ts';
import { extendLease, type Lease, LeaseLost, release, type SourceAccount } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type SyncTask, triesAfterLease } from './task.rules.ts';
import { taskChange } from './task.store.ts';

/** Lease or slot is held by somebody else. */
export class LeaseTaken extends AppError {}
/** No slot of the login is free. */
export class SlotTaken extends LeaseTaken {}
/** Held: not released, and its end not yet over by the margin in which a slow holder may still be writing. */
const isHeld = (item: table.Item | undefined): boolean =>
  item !== undefined && (item.tombstone === true || item.expires_at_ms > nowMs() - LIMITS.leaseMarginMs);

const free = { if: 'attribute_not_exists(pk) OR (#expires_at_ms <= :free AND attribute_not_exists(#tombstone))' };

const freeSlot = async (organizationId: string, login: SourceAccount): Promise<number | undefined> => {
  const { pk, prefix } = keys.slots(organizationId, login.source, login.key);
  const slots = await table.query(pk, { prefix });
  const held = new Set(slots.filter(isHeld).map((slot) => slot.sk));
  for (let n = 0; n < login.sessionsMax; n++)
    if (!held.has(keys.slot(organizationId, login.source, login.key, n).sk)) return n;
  return undefined;
};

export const isLoginFree = async (organizationId: string, login: SourceAccount): Promise<boolean> =>
  (await freeSlot(organizationId, login)) !== undefined;

export const isLeaseFree = async (organizationId: string, connectionId: string, scope: string): Promise<boolean> =>
  !isHeld(await table.get(keys.lease(organizationId, connectionId, scope)));

const holderOf = (task: Pick<SyncTask, 'runId'>, hop: number | ''): string => `${task.runId}:${hop}`;

const wasHeldBy = (task: SyncTask, item: table.Item | undefined): boolean =>
  String(item?.holder ?? '').startsWith(holderOf(task, ''));

/**
 * Takes the scope's lease, a slot of the login and the task itself in one transaction. Without a login (the scope is
 * only to be closed) no slot is taken. Throws `SlotTaken`, `LeaseTaken`, or `TaskConflict` when the message is stale.
 */
export const take = async (task: SyncTask, login: SourceAccount | null): Promise<{ lease: Lease; task: SyncTask }> => {
  const { organizationId, connectionId, scope } = task;
  const leaseKey = keys.lease(organizationId, connectionId, scope);
  const [held, n] = await Promise.all([
    table.get(leaseKey),
    login === null ? undefined : freeSlot(organizationId, login),
  ]);
  // The slot first: whoever waits for both is found by all who share the login.
  if (login !== null && n === undefined) throw new SlotTaken();
  if (isHeld(held)) throw new LeaseTaken();

  const holder = holderOf(task, task.hop + 1);
  const fence = ((held?.fence as number | undefined) ?? 0) + 1;
  const expiresAtMs = nowMs() + LIMITS.leaseMs;
  const late = lateWritersOf(held);
  const values = { free: nowMs() - LIMITS.leaseMarginMs };
  const taken: SyncTask = {
    ...task,
    hop: task.hop + 1,
    stateChangedAtMs: nowMs(),
    waitsFor: null,
    state: 'working',
    tries: triesAfterLease(task),
    firstLeasedAt: task.firstLeasedAt ?? nowIso(),
    // Another run had the scope meanwhile: what was kept before may be older than what is stored now.
    answers: wasHeldBy(task, held) ? task.answers : [],
  };
  await table.transact([
    taskChange(task, taken, LIMITS.leaseMs + LIMITS.leaseMarginMs),
    {
      update: leaseKey,
      set: { holder, fence, expires_at_ms: expiresAtMs, ...lateWriterAttributes(late) },
      if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence < :fence)`,
      values: { ...values, fence },
      otherwise: () => new LeaseTaken(),
    },
    ...(login === null || n === undefined
      ? []
      : [
          {
            update: keys.slot(organizationId, login.source, login.key, n),
            set: { holder, expires_at_ms: expiresAtMs },
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
  task: Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'scope' | 'hop'>,
): Promise<void> => {
  const expiresAtMs = nowMs() + LIMITS.leaseMs;
  const taskKey = keys.task(task.organizationId, task.connectionId, task.runId, task.scope);
  await table.transact([
    {
      update: taskKey,
      set: dueIn(taskKey, LIMITS.leaseMs + LIMITS.leaseMarginMs),
      if: '#hop = :hop AND #state = :working',
      values: { hop: task.hop, working: 'working' },
      otherwise: () => new LeaseLost(),
    },
    ...extendLease(lease, expiresAtMs),
  ]);
  lease.expiresAtMs = expiresAtMs;
};

/** The lease of a scope without a task under way, to make its index right. Throws `LeaseTaken`. */
export const takeForRepair = async (address: {
  organizationId: string;
  connectionId: string;
  scope: string;
}): Promise<{ lease: Lease; done: () => Promise<void> }> => {
  const key = keys.lease(address.organizationId, address.connectionId, address.scope);
  const expiresAtMs = nowMs() + LIMITS.leaseMs;
  const holder = `repair:${expiresAtMs}`;
  const held = await table.get(key);
  const late = lateWritersOf(held);
  const item = await table.update(key, {
    set: { holder, expires_at_ms: expiresAtMs, ...lateWriterAttributes(late) },
    add: { fence: 1 },
    if: `(${free.if}) AND (attribute_not_exists(#fence) OR #fence = :seen)`,
    values: { free: nowMs() - LIMITS.leaseMarginMs, seen: (held?.fence as number | undefined) ?? 0 },
    otherwise: () => new LeaseTaken(),
  });
  const lease: Lease = { ...address, holder, fence: item.fence, slot: null, late, expiresAtMs };
  return { lease, done: () => table.transact(release(lease)) };
};

/**
 * A slot alone, to log a kept session out. Answers false when somebody holds it: then the session is in use.
 */
export const takeSlot = async (
  organizationId: string,
  login: SourceAccount,
  n: number,
  holder: string,
): Promise<boolean> => {
  try {
    await table.update(keys.slot(organizationId, login.source, login.key, n), {
      set: { holder, expires_at_ms: nowMs() + LIMITS.leaseMs },
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
  organizationId: string,
  login: SourceAccount,
  n: number,
  holder: string,
): Promise<void> => {
  await table.update(keys.slot(organizationId, login.source, login.key, n), {
    set: { expires_at_ms: 0 },
    if: '#holder = :holder',
    values: { holder },
  });
};
