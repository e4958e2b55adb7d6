/**
 * A lease as its holder uses it: index, checkpoint and outcome are written under the condition that it is still held.
 * Taking and renewing leases is `shared/sync/lease.store.ts`.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { LoginTurns } from '#shared/values/login-turns.ts';
import { keys } from './keys.ts';
import type { LateWriters } from './late-writers.ts';
import { leaseItem } from './lease-item.ts';
import type { TransactItem } from './table.ts';

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

/** Another end for lease and slot, and the slot's calls so far, as parts of a transaction of the holder. */
export const extendLease = (lease: Lease, expiresAtMs: number, restsUntilMs?: number): TransactItem[] => {
  const { holder, slot } = lease;
  const held = { if: '#holder = :holder', values: { holder }, otherwise: () => new LeaseLost() };
  const ofLease: TransactItem = { update: leaseKeyOf(lease), set: leaseItem.toChanges({ expiresAtMs }), ...held };
  if (slot === null) return [ofLease];
  const turns = slot.turns.toStored(nowMs());
  const set = leaseItem.toChanges({ expiresAtMs, turns, restsUntilMs });
  return [ofLease, { update: slotKeyOf(lease, slot), set, ...held }];
};

/**
 * Gives lease and slot back, as part of the transaction that hands the work on. The fence stays.
 *
 * @param restsUntilMs epoch milliseconds before which the login may make no call: nobody takes the slot so long
 */
export const release = (lease: Lease, restsUntilMs?: number): TransactItem[] => extendLease(lease, 0, restsUntilMs);

/** Before each call of the institution. @throws LeaseLost where a worker stood still for longer than its lease lasts */
export const checkUnexpired = ({ expiresAtMs }: Lease): void => {
  if (nowMs() >= expiresAtMs) throw new LeaseLost();
};

export const isExpiring = (lease: Lease): boolean => nowMs() > lease.expiresAtMs - LIMITS.leaseMarginMs;
