/**
 * A lease as its holder uses it. Index, checkpoint and outcome are written on the condition that the lease is still
 * held. Leases are taken and renewed in `shared/sync/task/lease.store.ts`.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { LoginTurns } from '#shared/values/login-turns.ts';
import type { Change, Condition } from './expressions.ts';
import { type Key, keys } from './keys.ts';
import type { LateWriters } from './late-writers.ts';
import { GIVEN_BACK, type LeaseRecord, leaseItem } from './lease-item.ts';
import type { ConditionRefusal, TransactItem } from './table.ts';

/** Another worker holds the lease. This worker must stop and write nothing. */
export class LeaseLost extends AppError {}

export interface SourceAccount {
  source: string;
  /** HMAC of the values that identify the login at the source. */
  key: string;
  sessionsMax: number;
}

/** One of the sessions that a login may have at the institution, with the calls made so far. */
export interface Slot {
  login: SourceAccount;
  n: number;
  turns: LoginTurns;
  /** When the sweeper checks the session stored with the slot, in epoch ms. */
  lookedAtMs?: number;
}

export interface Lease {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
  holder: string;
  fence: number;
  slot: Slot | null;
  /** Earlier holders that may still put rows. */
  late?: LateWriters | null;
  /** Number of period writes under this lease (shared/table/late-writers.ts). */
  writes?: number;
  /** End of the lease in epoch ms. `renew` moves it. */
  expiresAtMs: number;
  /** When the sweeper checks the task, in epoch ms. A renewal may move it. */
  lookedAtMs?: number;
  /** Aborted when the holder must stop: the lease was lost, or the invocation is nearly over. */
  signal?: AbortSignal;
}

const leaseKeyOf = (lease: Lease) => keys.lease(lease.organizationId, lease.connectionId, lease.scope);
const slotKeyOf = (lease: Lease, slot: Slot) =>
  keys.slot(lease.organizationId, slot.login.source, slot.login.key, slot.n);

/** Returns a check for transactions of the holder: the transaction writes nothing if the lease was lost. */
export const stillHeld = (lease: Lease): TransactItem => ({
  check: leaseKeyOf(lease),
  if: '#fence = :fence AND #holder = :holder',
  values: { fence: lease.fence, holder: lease.holder },
  otherwise: () => new LeaseLost(),
});

type LeaseChange = { update: Key } & Change & ConditionRefusal;

/**
 * Returns changes that set a new end for lease and slot, and store the slot's calls. The changes of lease and slot have
 * the same condition.
 */
const changesOf = (lease: Lease, ends: Partial<LeaseRecord>, held: Condition & ConditionRefusal): LeaseChange[] => {
  const { slot } = lease;
  const { expiresAtMs } = ends;
  const ofLease = { update: leaseKeyOf(lease), set: leaseItem.toChanges({ expiresAtMs }), ...held };
  if (slot === null) return [ofLease];
  const turns = slot.turns.toStored(nowMs());
  return [ofLease, { update: slotKeyOf(lease, slot), set: leaseItem.toChanges({ ...ends, turns }), ...held }];
};

/**
 * Extends lease and slot, with one write each. A write that arrives after their release or after a later renewal fails.
 *
 * @param expiresAtMs epoch milliseconds
 */
export const extendLease = (lease: Lease, expiresAtMs: number): LeaseChange[] =>
  changesOf(
    lease,
    { expiresAtMs },
    {
      if: '#holder = :holder AND #expires_at_ms > :given_back AND #expires_at_ms <= :until',
      values: { holder: lease.holder, given_back: GIVEN_BACK, until: expiresAtMs },
      otherwise: () => new LeaseLost(),
    },
  );

/**
 * Returns items that release lease and slot, for the transaction that hands the task over. The fence stays.
 *
 * @param ofSlot who may take the slot, and when; if empty, any task at once
 */
export const release = (
  lease: Lease,
  ofSlot: Pick<LeaseRecord, 'restsUntilMs' | 'reservedUntilMs'> = {},
): TransactItem[] =>
  changesOf(
    lease,
    { expiresAtMs: GIVEN_BACK, ...ofSlot },
    { if: '#holder = :holder', values: { holder: lease.holder }, otherwise: () => new LeaseLost() },
  );

/**
 * Checks that the lease has not expired. Called before each call to the institution.
 *
 * @throws LeaseLost if the worker was paused for longer than its lease
 */
export const checkUnexpired = ({ expiresAtMs }: Pick<Lease, 'expiresAtMs'>): void => {
  if (nowMs() >= expiresAtMs) throw new LeaseLost();
};

/** Returns the time until the margin of the lease begins, in milliseconds. A renewal makes it longer. */
export const untilMarginMs = ({ expiresAtMs }: Lease): number => expiresAtMs - TABLE_LIMITS.leaseMarginMs - nowMs();

export const isExpiring = (lease: Lease): boolean => untilMarginMs(lease) < 0;
