/** Decides who may take a lease or a slot, by its stored record. */
import { nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { LeaseRecord } from '#shared/table/lease-item.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { AppError } from '#shared/values/app-error.ts';

/** Another worker holds the lease or slot. */
export class LeaseTaken extends AppError {}
/** No slot of the login is free. */
export class SlotTaken extends LeaseTaken {}

/**
 * True if the lease is held. A lease is held until it is released or until its end plus a margin, in which a slow
 * holder may still be writing.
 */
export const isHeld = ({ tombstone, expiresAtMs = 0, restsUntilMs = 0 }: LeaseRecord): boolean =>
  tombstone === true || expiresAtMs > nowMs() - TABLE_LIMITS.leaseMarginMs || restsUntilMs > nowMs();

export const wasHeldBy = (runId: string, { holder }: LeaseRecord): boolean => holder?.startsWith(`${runId}:`) ?? false;

/** True if only tasks of the run that had the slot last may take it. */
export const isReserved = ({ reservedUntilMs = 0 }: LeaseRecord): boolean => reservedUntilMs > nowMs();

/** @param runId null for a logout */
export const mayTakeSlot = (runId: string | null, slot: LeaseRecord): boolean =>
  !isHeld(slot) && (!isReserved(slot) || (runId !== null && wasHeldBy(runId, slot)));

/**
 * Returns the reservation of a slot for a run that goes on.
 * @param fromMs epoch milliseconds; time from which the run may take the slot
 */
export const reserveForRun = (fromMs = nowMs()) => ({ reservedUntilMs: fromMs + SYNC_LIMITS.slotReservedMs });
