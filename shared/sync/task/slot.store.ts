/** Stores the slots of a login: each is one of the sessions that the login may have at its institution. */
import { nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Slot, SourceAccount } from '#shared/table/lease.ts';
import { GIVEN_BACK, type LeaseRecord, leaseItem } from '#shared/table/lease-item.ts';
import * as table from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import type { LoginTurns } from '#shared/values/login-turns.ts';
import { isReserved, LeaseTaken, mayTakeSlot, SlotTaken, wasHeldBy } from './may-take.ts';
import { restoreTurns } from './pace.ts';

interface SlotRecord {
  n: number;
  /** The slot's record as stored. It has no fields if the slot was never taken. */
  record: LeaseRecord;
}

const keyOf = (organizationId: OrganizationId, login: SourceAccount, n: number): Key =>
  keys.slot(organizationId, login.source, login.key, n);

const listSlots = async (organizationId: OrganizationId, login: SourceAccount): Promise<SlotRecord[]> => {
  const { pk, prefix } = keys.slots(organizationId, login.source, login.key);
  const stored = new Map((await table.query(pk, { prefix })).map((slot) => [slot.sk, leaseItem.fromItem(slot)]));
  return Array.from({ length: login.sessionsMax }, (_, n) => ({
    n,
    record: stored.get(keyOf(organizationId, login, n).sk) ?? {},
  }));
};

/**
 * Returns the slot for a task of the run: the one that the run had last, because its session is stored with it, or else
 * the first that is free.
 *
 * @throws SlotTaken
 */
export const findSlot = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  runId: string,
): Promise<SlotRecord> => {
  const free = (await listSlots(organizationId, login)).filter(({ record }) => mayTakeSlot(runId, record));
  const found = free.find(({ record }) => wasHeldBy(runId, record)) ?? free[0];
  if (found === undefined) throw new SlotTaken();
  return found;
};

export const isLoginFree = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  runId: string,
): Promise<boolean> => (await listSlots(organizationId, login)).some(({ record }) => mayTakeSlot(runId, record));

/**
 * Returns the changes that take a slot. They also end the slot's rest and reservation, which a worker with a slow clock
 * would still see.
 */
const takenSlot = (holder: string, expiresAtMs: number, turns: LoginTurns) =>
  leaseItem.toChanges({ holder, expiresAtMs, turns: turns.toStored(nowMs()), restsUntilMs: 0, reservedUntilMs: 0 });

/**
 * Returns the condition that nothing was stored in the slot since it was read. Otherwise calls of a holder, a rest or a
 * reservation in between would be lost.
 */
const asSeen = ({ holder, expiresAtMs }: LeaseRecord) => ({
  ...(holder === undefined
    ? { if: 'attribute_not_exists(#holder)' }
    : { if: '#holder = :seen AND #expires_at_ms = :seen_end', values: { seen: holder, seen_end: expiresAtMs! } }),
  otherwise: () => new SlotTaken(),
});

/** Returns the slot as its holder uses it, with the update that takes it. */
export const takeFound = (
  organizationId: OrganizationId,
  login: SourceAccount,
  { n, record }: SlotRecord,
  { holder, expiresAtMs }: { holder: string; expiresAtMs: number },
) => {
  const turns = restoreTurns(login, record);
  const slot: Slot = { login, n, turns };
  return {
    slot,
    update: keyOf(organizationId, login, n),
    change: { set: takenSlot(holder, expiresAtMs, turns), ...asSeen(record) },
  };
};

const isDoneUnlessTaken = async (change: Promise<unknown>): Promise<boolean> => {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof LeaseTaken) return false;
    throw error;
  }
};

/**
 * Takes only a slot, to log out a stored session. Returns null if the slot rests, or if another worker or run has it and
 * so uses the session.
 */
export const takeSlot = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  n: number,
  holder: string,
): Promise<Slot | null> => {
  const record = leaseItem.fromItem((await table.get(keyOf(organizationId, login, n))) ?? {});
  if (!mayTakeSlot(null, record)) return null;
  const expiresAtMs = nowMs() + SYNC_LIMITS.leaseMs;
  const { slot, update, change } = takeFound(organizationId, login, { n, record }, { holder, expiresAtMs });
  return (await isDoneUnlessTaken(table.update(update, change))) ? slot : null;
};

export const releaseSlot = async (
  organizationId: OrganizationId,
  { login, n, turns }: Slot,
  holder: string,
): Promise<void> => {
  await table.update(keyOf(organizationId, login, n), {
    set: leaseItem.toChanges({ expiresAtMs: GIVEN_BACK, turns: turns.toStored(nowMs()) }),
    if: '#holder = :holder',
    values: { holder },
  });
};

/** Ends the reservation of a run that does not go on with its session. A task that took the slot meanwhile has it. */
export const endReservation = async (
  organizationId: OrganizationId,
  login: SourceAccount,
  runId: string,
): Promise<void> => {
  for (const { n, record } of await listSlots(organizationId, login)) {
    if (!isReserved(record) || !mayTakeSlot(runId, record)) continue;
    const set = leaseItem.toChanges({ reservedUntilMs: 0 });
    await isDoneUnlessTaken(table.update(keyOf(organizationId, login, n), { set, ...asSeen(record) }));
  }
};
