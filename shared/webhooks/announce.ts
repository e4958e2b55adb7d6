/** Creates the deliveries for a finished run: one for each endpoint that is subscribed to the event type. */

import { nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import type { TransactItem } from '#shared/table/table.ts';
import type { OrganizationId } from '#shared/values/ids.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
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
import { type EventBody, packBody, writePayload } from './event-body.ts';

export interface RunAnnouncement extends EventBody {
  organizationId: OrganizationId;
}

/**
 * Returns items for the transaction that ends the run, at most 50: a delivery with the event's body for each endpoint
 * that is enabled and subscribed now. An endpoint created between this read and the commit does not get the event. If
 * an endpoint is disabled or deleted in between, the worker ends its delivery without an attempt. If the transaction
 * fails, nothing was written and the caller calls again.
 */
export const announceRun = async (
  run: RunAnnouncement,
): Promise<{ items: TransactItem[]; deliveries: DeliveryMessage[] }> => {
  const { organizationId, type } = run;
  const eventId = newId();
  const endpoints = (await webhooks.list(organizationId)).filter((endpoint) => isSubscribed(endpoint, type));
  const deliveries = endpoints.map((endpoint): Delivery => {
    const named = { organizationId, endpointId: endpoint.id, id: newId(), eventId, eventType: type };
    return newDelivery(named, nowMs(), SCHEDULE);
  });
  const payload = writePayload(run);
  const body = packBody(payload);
  const isTold = Buffer.byteLength(payload) <= WEBHOOK_LIMITS.webhookBodyToldBytesMax;
  return {
    items: deliveries.map((delivery) => putDelivery(delivery, body)),
    deliveries: deliveries.map((delivery) =>
      isTold ? newDeliveryMessage(delivery, payload) : deliveryMessage(delivery),
    ),
  };
};
