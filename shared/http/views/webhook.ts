/** Webhook endpoints and deliveries as the API returns them. */
import * as z from 'zod';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import { instant, uuid } from '#shared/values/fields.ts';
import { DELIVERY_STATUSES, type Delivery } from '#shared/webhooks/delivery.rules.ts';
import type { WebhookEndpoint as Endpoint } from '#shared/webhooks/endpoint.rules.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { createdBy } from './author.ts';

/**
 * The URL form of `safe-destination.ts`. A pattern cannot express that the address must be public, so only the
 * description states this rule.
 */
const HTTPS_FORM = '^[Hh][Tt][Tt][Pp][Ss]://[^/?#\\\\@\\s]+([/?][^#\\s]*)?$';

export const webhookUrl = () =>
  z.string().meta({
    format: 'uri',
    pattern: HTTPS_FORM,
    maxLength: WEBHOOK_LIMITS.webhookUrlCharsMax,
    description: 'An https URL on the public internet with at most 2,048 characters, without user info or fragment.',
  });

const EventType = z.enum(EVENT_TYPES).meta({ id: 'EventType', description: 'How a sync run ended.' });
const eventType = () => EventType;

const areDifferent = (types: readonly string[]): boolean => new Set(types).size === types.length;

export const eventTypes = () =>
  z
    .array(eventType())
    .min(1)
    .refine(areDifferent, 'must not repeat an event type')
    .meta({
      uniqueItems: true,
      maxItems: EVENT_TYPES.length,
      examples: [['sync.succeeded', 'sync.partial', 'sync.failed']],
    })
    .describe('Events that are sent to this endpoint.');

export const WebhookEndpoint = z
  .object({
    id: uuid(),
    url: z.string().meta({ format: 'uri' }),
    event_types: z.array(eventType()).meta({ examples: [['sync.succeeded', 'sync.failed']] }),
    enabled: z.boolean(),
    disabled_at: instant()
      .nullable()
      .describe('When it was disabled, manually or after too many failures in a row.')
      .meta({ examples: [null] }),
    last_success_at: instant()
      .nullable()
      .describe('Time of the last delivery answered with 2xx, accurate to the minute.'),
    created_at: instant(),
    created_by: createdBy(),
  })
  .meta({ id: 'WebhookEndpoint' });

export const WebhookEndpointWithSecret = WebhookEndpoint.extend({
  secret: z
    .string()
    .describe('The signing secret, `whsec_…`; shown only here.')
    .meta({ examples: ['whsec_bm90IGEgc2VjcmV0LCBqdXN0IGFuIGV4YW1wbGUhISE='] }),
}).meta({ id: 'WebhookEndpointWithSecret' });

export const WebhookDelivery = z
  .object({
    id: uuid().describe('Also sent as the `webhook-id` header of every attempt.'),
    event_type: eventType(),
    status: z.enum(DELIVERY_STATUSES).meta({ examples: ['failed'] }),
    attempts: z.int().min(0).describe('Number of attempts so far, including one in progress.'),
    response_status: z
      .int()
      .nullable()
      .describe('HTTP status of the last attempt. Null if there was no answer.')
      .meta({ examples: [503] }),
    error: z
      .string()
      .nullable()
      .describe('Why the last attempt failed, or why no attempt will be made.')
      .meta({ examples: ['the receiver answered 503'] }),
    last_attempt_at: instant().nullable(),
    created_at: instant(),
  })
  .meta({ id: 'WebhookDelivery' });

export const toWebhookEndpoint = (endpoint: Endpoint): z.infer<typeof WebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: endpoint.eventTypes,
  enabled: endpoint.enabled,
  disabled_at: endpoint.disabledAt,
  last_success_at: endpoint.lastSuccessAt,
  created_at: endpoint.createdAt,
  created_by: endpoint.createdBy ?? null,
});

export const toWebhookDelivery = (delivery: Delivery): z.infer<typeof WebhookDelivery> => ({
  id: delivery.id,
  event_type: delivery.eventType,
  status: delivery.status,
  attempts: delivery.attempts,
  response_status: delivery.responseStatus,
  error: delivery.error,
  last_attempt_at: delivery.lastAttemptAt,
  created_at: delivery.createdAt,
});
