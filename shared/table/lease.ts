/**
 * A lease as its holder uses it: index, checkpoint and outcome are written under the condition that it is still held.
 * Taking and renewing leases is `shared/sync/task/lease.store.ts`.
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

/** Ours no more: stop, write nothing. */
export class LeaseLost extends AppError {}

export interface SourceAccount {
  source: string;
  /** HMAC of what identifies the login at the source. */
  key: string;
  sessionsMax: number;
}

/** A place at the institution, with the calls that its login made. */
export interface Slot {
  login: SourceAccount;
  n: number;
  turns: LoginTurns;
  /** When the sweeper looks at the session kept with it, epoch ms. */
  lookedAtMs?: number;
}

export interface Lease {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
  holder: string;
  fence: number;
  slot: Slot | null;
  /** Holders before, that may still put rows. */
  late?: LateWriters | null;
  /** Period writes under it so far (shared/table/late-writers.ts). */
  writes?: number;
  /** Epoch ms; moved by `renew`. */
  expiresAtMs: number;
  /** When the sweeper looks at its task, epoch ms; later where a renewal moved it. */
  lookedAtMs?: number;
  /** Aborts when its holder must stop: the lease was lost, or the invocation is nearly over. */
  signal?: AbortSignal;
}

const leaseKeyOf = (lease: Lease) => keys.lease(lease.organizationId, lease.connectionId, lease.scope);
const slotKeyOf = (lease: Lease, slot: Slot) =>
  keys.slot(lease.organizationId, slot.login.source, slot.login.key, slot.n);

/** For transactions of the holder: nothing is written under a lease that was lost. */
export const stillHeld = (lease: Lease): TransactItem => ({
  check: leaseKeyOf(lease),
  if: '#fence = :fence AND #holder = :holder',
  values: { fence: lease.fence, holder: lease.holder },
  otherwise: () => new LeaseLost(),
});

type LeaseChange = { update: Key } & Change & ConditionRefusal;

/** Another end for lease and slot, and the slot's calls so far, under a condition that both meet. */
const changesOf = (lease: Lease, ends: Partial<LeaseRecord>, held: Condition & ConditionRefusal): LeaseChange[] => {
  const { slot } = lease;
  const { expiresAtMs } = ends;
  const ofLease = { update: leaseKeyOf(lease), set: leaseItem.toChanges({ expiresAtMs }), ...held };
  if (slot === null) return [ofLease];
  const turns = slot.turns.toStored(nowMs());
  return [ofLease, { update: slotKeyOf(lease, slot), set: leaseItem.toChanges({ ...ends, turns }), ...held }];
};

/**
 * Lease and slot, each to be renewed by a write of its own: one that comes after they were given back, or after a later
 * renewal, is refused.
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
 * Gives lease and slot back, as part of the transaction that hands the work on. The fence stays.
 *
 * @param restsUntilMs epoch milliseconds before which the login may make no call: nobody takes the slot so long
 */
export const release = (lease: Lease, restsUntilMs?: number): TransactItem[] =>
  changesOf(
    lease,
    { expiresAtMs: GIVEN_BACK, ...(restsUntilMs === undefined ? {} : { restsUntilMs }) },
    { if: '#holder = :holder', values: { holder: lease.holder }, otherwise: () => new LeaseLost() },
  );

/** Before each call of the institution. @throws LeaseLost where a worker stood still for longer than its lease lasts */
export const checkUnexpired = ({ expiresAtMs }: Pick<Lease, 'expiresAtMs'>): void => {
  if (nowMs() >= expiresAtMs) throw new LeaseLost();
};

export const isExpiring = (lease: Lease): boolean => nowMs() > lease.expiresAtMs - TABLE_LIMITS.leaseMarginMs;
