/** The final states of a sync run for which an endpoint can receive events. */
import type { Schemas } from '../api/client.ts';

export type WebhookEndpoint = Schemas['WebhookEndpoint'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type EventType = WebhookDelivery['event_type'];

export const EVENT_TYPES: readonly EventType[] = ['sync.succeeded', 'sync.partial', 'sync.failed'];
