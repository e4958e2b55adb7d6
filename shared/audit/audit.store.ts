/**
 * Stores the audit trail. An event is written in the transaction of its change, so neither exists without the other.
 * Each transaction also writes the changed item, usually in the organization's `CONFIG` partition, so the organization's
 * `AUDIT` partition never gets more writes than that one.
 */
import { nowMs } from '#shared/platform/clock.ts';
import { lastIdAt, newId } from '#shared/platform/ids.ts';
import { log } from '#shared/platform/logger.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn } from '#shared/table/ttl.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { type AuditEvent, AuditEventSchema, type Cause } from './audit.rules.ts';
import { AUDIT_LIMITS } from './limits.ts';

const DAY_SECONDS = 86_400;
const AFTER_ALL_IDS = '~';

export const auditItem = item('audit event', AuditEventSchema, {
  names: { at: 'created_at' },
  absent: ['targetId', 'requestId', 'address', 'forwardedAddress'],
});

/** A change, without who made it. */
export type AuditedChange = Pick<AuditEvent, 'organizationId' | 'action'> &
  Partial<Pick<AuditEvent, 'targetId' | 'changed'>>;

export const newEvent = (
  { organizationId, action, targetId = null, changed = [] }: AuditedChange,
  { author, source }: Cause,
): AuditEvent => ({
  id: newId(),
  organizationId,
  at: new Date(nowMs()).toISOString(),
  action,
  targetId,
  changed,
  author,
  requestId: source?.requestId ?? null,
  address: source?.address ?? null,
  forwardedAddress: source?.forwardedAddress ?? null,
});

/** Returns the item of the event for the transaction of its change. The caller logs the event after the commit. */
export const putEvent = (event: AuditEvent): table.TransactItem => ({
  put: {
    ...keys.auditEvent(event.organizationId, event.id),
    ...auditItem.toItem(event),
    ...expiresIn(AUDIT_LIMITS.auditDays * DAY_SECONDS),
  },
});

/** Writes the log line of a stored event. A subject that is not a UUID is only in the event. */
export const logEvent = ({ id, organizationId, action, targetId, author, ...event }: AuditEvent): void =>
  log.info('a change was made', {
    event_id: id,
    organization_id: organizationId,
    action,
    target_id: targetId ?? undefined,
    author: author.kind,
    author_id: author.id ?? undefined,
    request_id: event.requestId ?? undefined,
    address: event.address ?? undefined,
    forwarded_address: event.forwardedAddress ?? undefined,
  });

/** Writes a change and its event, or neither, and logs the event. Throws the error of the change's failed condition. */
export const commit = async (items: readonly table.TransactItem[], event: AuditEvent): Promise<void> => {
  await table.transact([...items, putEvent(event)]);
  logEvent(event);
};

export interface AuditPage {
  events: AuditEvent[];
  hasMore: boolean;
}

/**
 * Returns the newest events, or those older than the event `before`, newest first. Events older than the retention are
 * left out by their ids, because TTL may remove them days late.
 */
export const list = async (
  organizationId: OrganizationId,
  { limit, before }: { limit: number; before: string | null },
): Promise<AuditPage> => {
  const oldestMs = nowMs() - AUDIT_LIMITS.auditDays * DAY_SECONDS * 1_000;
  const { pk, sk: from } = keys.auditEvent(organizationId, lastIdAt(oldestMs));
  const to = before ?? AFTER_ALL_IDS;
  // One more item shows whether another page follows. The range includes the cursor's own event, which is left out.
  const items = await table.query(pk, { from, to, descending: true, limit: limit + 2 });
  const older = items.map(auditItem.fromItem).filter(({ id }) => id !== before);
  return { events: older.slice(0, limit), hasMore: older.length > limit };
};
