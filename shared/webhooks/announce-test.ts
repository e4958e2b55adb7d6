/** Creates a test delivery: an event of nothing, so that a developer can try a receiver. */
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { EVENT_TYPES, type EventType } from '#shared/values/event-types.ts';
import { type Delivery, deliveryMessage, newTestDelivery } from './delivery.rules.ts';
import { SCHEDULE } from './delivery.store.ts';
import type { WebhookEndpoint } from './endpoint.rules.ts';
import { enqueueDelivery } from './enqueue-delivery.ts';
import { packBody, writePayload } from './event-body.ts';
import { createOnce } from './test-delivery.store.ts';

const NIL = '00000000-0000-0000-0000-000000000000';

/** Returns `data` of a test event: the fields of every event, without rows. */
const testData = (type: EventType): Record<string, unknown> => ({
  syncRunId: NIL,
  organizationId: NIL,
  connectionId: NIL,
  status: type.slice('sync.'.length),
  scopes: [],
  scopeOutcomes: [],
});

/**
 * Stores a test delivery and sends its message. An earlier call with the same id has stored the delivery already.
 * @param type absent: the first type of the endpoint
 */
export const announceTest = async (
  { organizationId, id: endpointId, eventTypes }: WebhookEndpoint,
  id: string,
  type: EventType | null | undefined,
): Promise<Delivery> => {
  const eventType = type ?? eventTypes[0] ?? EVENT_TYPES[0];
  const test = newTestDelivery({ organizationId, endpointId, id, eventId: newId(), eventType }, nowMs(), SCHEDULE);
  const body = packBody(writePayload({ type: eventType, at: nowIso(), data: testData(eventType) }));
  const stored = await createOnce(test, body);
  if (stored.status === 'pending') await enqueueDelivery(deliveryMessage(stored));
  return stored;
};
