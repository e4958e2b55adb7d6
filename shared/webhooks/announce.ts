/** What a finished run is told by: one event, and a delivery for each endpoint that is subscribed to its type. */

import { nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import type { TransactItem } from '#shared/table/table.ts';
import type { EventType } from '#shared/values/event-types.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import {
  type Delivery,
  type DeliveryMessage,
  deliveryMessage,
  newDelivery,
  newDeliveryMessage,
} from './delivery.rules.ts';
import { putDelivery, SCHEDULE } from './delivery.store.ts';
import { isSubscribed } from './endpoint.rules.ts';
import * as webhooks from './endpoint.store.ts';
import { eventPut } from './event.store.ts';

export interface RunAnnouncement {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  runId: string;
  type: EventType;
  /** `data` of the payload, camelCase. */
  data: Readonly<Record<string, unknown>>;
  /** When the run ended, ISO 8601 UTC with milliseconds: `timestamp` of the payload. */
  at: string;
}

/** The payload exactly as receivers get it, as text: its bytes are those of UTF-8. */
const payloadOf = ({ type, at, data }: Pick<RunAnnouncement, 'type' | 'at' | 'data'>): string =>
  JSON.stringify({ type, timestamp: at, data });

/**
 * Items for the transaction that ends the run, at most 51: the event, and a delivery for each endpoint that is enabled
 * and subscribed now. An endpoint created between this read and the commit does not get this event; one that is
 * disabled or deleted in between gets a delivery that its worker ends without an attempt. When the transaction is
 * refused, call again: nothing was written.
 */
export const announceRun = async (
  run: RunAnnouncement,
): Promise<{ items: TransactItem[]; deliveries: DeliveryMessage[] }> => {
  const { organizationId, connectionId, runId, type, at } = run;
  const eventId = newId();
  const endpoints = (await webhooks.list(organizationId)).filter((endpoint) => isSubscribed(endpoint, type));
  const deliveries = endpoints.map((endpoint): Delivery => {
    const named = { organizationId, endpointId: endpoint.id, id: newId(), eventId, eventType: type };
    return newDelivery(named, nowMs(), SCHEDULE);
  });
  const payload = payloadOf(run);
  const body = new TextEncoder().encode(payload);
  const isTold = body.length <= LIMITS.webhookBodyToldBytesMax;
  const event = eventPut({ organizationId, connectionId, runId, id: eventId, type, body, createdAt: at });
  return {
    items: [event, ...deliveries.map(putDelivery)],
    deliveries: deliveries.map((delivery) =>
      isTold ? newDeliveryMessage(delivery, payload) : deliveryMessage(delivery),
    ),
  };
};
