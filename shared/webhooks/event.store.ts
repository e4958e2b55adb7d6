/**
 * Events: what finished runs are told by. The body's bytes are built once, stored, and sent as they are on every
 * attempt: a body that is built again may differ in one byte, and then no receiver can verify it (architecture.md §9, B21).
 */

import { nowSeconds } from '#shared/platform/clock.ts';
import { RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { EventType } from '#shared/values/event-types.ts';

export interface StoredEvent {
  organizationId: string;
  connectionId: string;
  runId: string;
  id: string;
  type: EventType;
  /** The payload's bytes, as every attempt sends them. */
  body: Uint8Array;
  /** ISO 8601 UTC with milliseconds. */
  createdAt: string;
}

export const eventPut = (event: StoredEvent): table.TransactItem => ({
  put: {
    ...keys.event(event.organizationId, event.id),
    id: event.id,
    organization_id: event.organizationId,
    connection_id: event.connectionId,
    run_id: event.runId,
    type: event.type,
    body: event.body,
    created_at: event.createdAt,
    expires_at_epoch: nowSeconds() + RETENTION_SECONDS,
  },
  if: 'attribute_not_exists(pk)',
});

/** The stored bytes; undefined when the event is past its retention. */
export const findBody = async (organizationId: string, eventId: string): Promise<Uint8Array | undefined> => {
  const item = await table.get(keys.event(organizationId, eventId));
  const isKept = item !== undefined && (item.expires_at_epoch as number) > nowSeconds();
  return isKept ? (item.body as Uint8Array) : undefined;
};
