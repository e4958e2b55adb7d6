/**
 * A lease as its holder uses it: index, checkpoint and outcome are written under the condition that it is still held.
 * Taking and renewing leases is `shared/sync/lease.store.ts`.
 */

import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
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

export interface Lease {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  scope: string;
  holder: string;
  fence: number;
  slot: { login: SourceAccount; n: number } | null;
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
const slotKeyOf = (lease: Lease, slot: NonNullable<Lease['slot']>) =>
  keys.slot(lease.organizationId, slot.login.source, slot.login.key, slot.n);

/** For transactions of the holder: nothing is written under a lease that was lost. */
export const stillHeld = (lease: Lease): TransactItem => ({
  check: leaseKeyOf(lease),
  if: '#fence = :fence AND #holder = :holder',
  values: { fence: lease.fence, holder: lease.holder },
  otherwise: () => new LeaseLost(),
});

/** Another end for lease and slot, as parts of a transaction of the holder. */
export const extendLease = (lease: Lease, expiresAtMs: number): TransactItem[] => {
  const held = {
    set: leaseItem.toChanges({ expiresAtMs }),
    if: '#holder = :holder',
    values: { holder: lease.holder },
    otherwise: () => new LeaseLost(),
  };
  return [
    { update: leaseKeyOf(lease), ...held },
    ...(lease.slot ? [{ update: slotKeyOf(lease, lease.slot), ...held }] : []),
  ];
};

/** Gives lease and slot back, as part of the transaction that hands the work on. The fence stays. */
export const release = (lease: Lease): TransactItem[] => extendLease(lease, 0);

export const isExpiring = (lease: Lease): boolean => nowMs() > lease.expiresAtMs - LIMITS.leaseMarginMs;
