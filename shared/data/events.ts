/**
 * Events: what a finished run is told by. The body's bytes are built once, stored, and sent as they are on every
 * attempt: a body that is built again may differ in one byte, and then no receiver can verify it (architecture.md §9, B21).
 */
import {
  announced,
  type Delivery,
  type DeliveryHint,
  type EventType,
  hintOf,
  hintOfAnnounced,
} from '#shared/domain/delivery.ts';
import { isSubscribed } from '#shared/domain/webhook-endpoint.ts';
import { nowMs, nowSeconds } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { LIMITS, RETENTION_SECONDS } from '#shared/platform/limits.ts';
import { creation, SCHEDULE } from './deliveries.ts';
import { keys } from './keys.ts';
import * as table from './table.ts';
import * as webhooks from './webhooks.ts';

export interface RunAnnouncement {
  organizationId: string;
  connectionId: string;
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
): Promise<{ items: table.TransactItem[]; deliveries: DeliveryHint[] }> => {
  const { organizationId, connectionId, runId, type, at } = run;
  const eventId = newId();
  const endpoints = (await webhooks.list(organizationId)).filter((endpoint) => isSubscribed(endpoint, type));
  const deliveries = endpoints.map((endpoint): Delivery => {
    const named = { organizationId, endpointId: endpoint.id, id: newId(), eventId, eventType: type };
    return announced(named, nowMs(), SCHEDULE);
  });
  const payload = payloadOf(run);
  const body = new TextEncoder().encode(payload);
  const isTold = body.length <= LIMITS.webhookBodyToldBytesMax;
  const event: table.TransactItem = {
    put: {
      ...keys.event(organizationId, eventId),
      id: eventId,
      organization_id: organizationId,
      connection_id: connectionId,
      run_id: runId,
      type,
      body,
      created_at: at,
      expires_at_epoch: nowSeconds() + RETENTION_SECONDS,
    },
    if: 'attribute_not_exists(pk)',
  };
  return {
    items: [event, ...deliveries.map(creation)],
    deliveries: deliveries.map((delivery) => (isTold ? hintOfAnnounced(delivery, payload) : hintOf(delivery))),
  };
};

/** The stored bytes; undefined when the event is past its retention. */
export const findBody = async (organizationId: string, eventId: string): Promise<Uint8Array | undefined> => {
  const item = await table.get(keys.event(organizationId, eventId));
  const isKept = item !== undefined && (item.expires_at_epoch as number) > nowSeconds();
  return isKept ? (item.body as Uint8Array) : undefined;
};
