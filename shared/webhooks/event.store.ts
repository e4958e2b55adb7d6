/**
 * Events: what finished runs are told by. The body's bytes are built once, stored, and sent as they are on every
 * attempt: a body that is built again may differ in one byte, and then no receiver can verify it (architecture.md §9, B21).
 */

import * as z from 'zod';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { bytes, item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { expiresIn, isExpired } from '#shared/table/ttl.ts';
import { storedEventType } from '#shared/values/event-types.ts';
import { connectionId, type OrganizationId, organizationId } from '#shared/values/ids.ts';

const EventSchema = z.object({
  organizationId: organizationId(),
  connectionId: connectionId(),
  runId: z.string(),
  id: z.string(),
  type: storedEventType(),
  /** The payload's bytes, as every attempt sends them. */
  body: bytes(),
  /** ISO 8601 UTC with milliseconds. */
  createdAt: z.string(),
});
export interface StoredEvent extends z.infer<typeof EventSchema> {}

export const eventItem = item('event', EventSchema);

export const eventPut = (event: StoredEvent): table.TransactItem => ({
  put: {
    ...keys.event(event.organizationId, event.id),
    ...eventItem.toItem(event),
    ...expiresIn(RETENTION_SECONDS),
  },
  if: 'attribute_not_exists(pk)',
});

/** The stored bytes; undefined when `found` is not the event of that id, or past its retention. */
export const bodyOf = (found: table.Item | undefined, eventId: string): Uint8Array | undefined => {
  if (found === undefined || isExpired(found)) return undefined;
  const { id, body } = eventItem.fromItem(found);
  return id === eventId ? body : undefined;
};

export const findBody = async (organizationId: OrganizationId, eventId: string): Promise<Uint8Array | undefined> =>
  bodyOf(await table.get(keys.event(organizationId, eventId)), eventId);
