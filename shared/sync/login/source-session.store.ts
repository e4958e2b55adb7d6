/**
 * Sessions at an institution, stored encrypted with their slot. Another worker uses the stored session instead of
 * logging in again. If the worker that uses a session dies, the sweeper has another worker log the session out, because
 * the institution counts open sessions (tax.md §2.4).
 */

import * as z from 'zod';
import { nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { dueEntry, parseDueMs } from '#shared/table/due-keys.ts';
import { bytes, item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import type { Slot } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import { AppError } from '#shared/values/app-error.ts';
import { connectionId, type OrganizationId } from '#shared/values/ids.ts';

const KeptSessionSchema = z.object({
  connectionId: connectionId(),
  credentialsVersion: z.number(),
  ciphertext: bytes(),
  /** True if the institution ended the session. Such a session may only be logged out. */
  isOver: z.boolean().optional(),
});
export interface KeptSession extends z.infer<typeof KeptSessionSchema> {}

export const keptSessionItem = item('source session', KeptSessionSchema);

const due = (key: Key, fromMs = nowMs()) => dueEntry(key, new Date(fromMs + SYNC_LIMITS.keptSessionMs).toISOString());

type StoredSlot = Pick<Slot, 'login' | 'n' | 'lookedAtMs'>;

const keyOf = (organizationId: OrganizationId, { login, n }: StoredSlot): Key =>
  keys.session(organizationId, login.source, login.key, n);

/**
 * True if the sweeper will check the session in less than half of `keptSessionMs`. As long as the check is further
 * ahead, using the session does not move its due entry, because a due entry may be early but never late.
 */
export const isLookedAtSoon = ({ lookedAtMs = 0 }: StoredSlot): boolean =>
  lookedAtMs - nowMs() < SYNC_LIMITS.keptSessionMs / 2;

/** Stores the session. The caller holds the slot. */
export const keep = async (organizationId: OrganizationId, slot: StoredSlot, session: KeptSession): Promise<void> => {
  if (isLookedAtSoon(slot) || !(await replace(organizationId, slot, session))) {
    const key = keyOf(organizationId, slot);
    const lookedAt = due(key);
    await table.put({ ...key, ...lookedAt, ...keptSessionItem.toItem(session), ...notForLong() });
    slot.lookedAtMs = parseDueMs(lookedAt);
  }
};

/**
 * Returns the TTL of the session's entry: one day. An institution ends every session within some hours, and the entry is
 * of no use after that.
 */
const notForLong = () => expiresIn(86_400);

/**
 * Replaces the stored session. If no session is stored, stores nothing and returns false: the due entry that logs a
 * session out was removed together with the session, so a session stored now would never be logged out.
 */
const replace = (organizationId: OrganizationId, slot: StoredSlot, session: KeptSession): Promise<boolean> =>
  wasThere(
    table.update(keyOf(organizationId, slot), {
      set: { ...keptSessionItem.toItem(session), ...notForLong() },
      ...(session.isOver ? {} : { remove: ['is_over'] }),
      if: 'attribute_exists(pk)',
      otherwise: () => new SessionGone(),
    }),
  );

const wasThere = async (change: Promise<unknown>): Promise<boolean> => {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof SessionGone) return false;
    throw error;
  }
};

export const find = async (organizationId: OrganizationId, slot: StoredSlot): Promise<KeptSession | undefined> => {
  const found = await table.get(keyOf(organizationId, slot));
  if (found && typeof found.due_sk === 'string') slot.lookedAtMs = parseDueMs({ due_sk: found.due_sk });
  return found && keptSessionItem.fromItem(found);
};

export const forget = async (organizationId: OrganizationId, slot: StoredSlot): Promise<void> => {
  await table.remove(keyOf(organizationId, slot));
};

/** Moves the due entry to a later time. The session is in use, or will be in use from `untilMs` on. */
export const postpone = async (organizationId: OrganizationId, slot: StoredSlot, untilMs = nowMs()): Promise<void> => {
  const key = keyOf(organizationId, slot);
  const lookedAt = due(key, untilMs);
  const otherwise = () => new SessionGone();
  if (await wasThere(table.update(key, { set: lookedAt, if: 'attribute_exists(pk)', otherwise })))
    slot.lookedAtMs = parseDueMs(lookedAt);
};
class SessionGone extends AppError {}
