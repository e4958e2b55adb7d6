/** Webhook endpoints and deliveries as the API returns them. */
import * as z from 'zod';
import { EVENT_TYPES } from '#shared/values/event-types.ts';
import { instant, uuid } from '#shared/values/fields.ts';
import { type AttemptRecord, FailureSchema } from '#shared/webhooks/attempts.rules.ts';
import { DELIVERY_STATUSES, type Delivery } from '#shared/webhooks/delivery.rules.ts';
import { DISABLED_REASONS, type WebhookEndpoint as Endpoint } from '#shared/webhooks/endpoint.rules.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { unsignedHeaders } from '#shared/webhooks/request-headers.ts';
import { createdBy, toAuthorView } from './author.ts';

/**
 * The URL form of `safe-destination.ts`. A pattern cannot express that the address must be public, so only the
 * description states this rule.
 */
export const HTTPS_FORM = '^[Hh][Tt][Tt][Pp][Ss]://[^/?#\\\\@\\s]+([/?][^#\\s]*)?$';

export const webhookUrl = () =>
  z.string().meta({
    format: 'uri',
    pattern: HTTPS_FORM,
    maxLength: WEBHOOK_LIMITS.webhookUrlCharsMax,
    description: 'An https URL on the public internet with at most 2,048 characters, without user info or fragment.',
  });

const EventType = z.enum(EVENT_TYPES).meta({ id: 'EventType', description: 'How a sync run ended.' });
export const eventType = () => EventType;

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
    disabled_reason: z
      .enum(DISABLED_REASONS)
      .nullable()
      .describe(
        'Why it was disabled: `manual`, by a request; `failures`, because 20 deliveries in a row failed. Null while it is enabled, and if it was disabled before reasons were stored.',
      )
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
    test: z
      .boolean()
      .describe('True for a delivery of `POST /webhooks/{id}/test`.')
      .meta({ examples: [false] }),
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

const { stopped: _, ...CAUSES } = FailureSchema.enum;

const WebhookAttempt = z
  .object({
    number: z.int().min(1),
    started_at: instant(),
    ended_at: instant()
      .nullable()
      .describe('Null while the attempt is under way, and if it was interrupted: then its end is unknown.'),
    status: z.enum(['in_progress', 'delivered', 'failed']).meta({ examples: ['failed'] }),
    response_status: z
      .int()
      .nullable()
      .describe('HTTP status of the answer. Null if there was no answer.')
      .meta({ examples: [503] }),
    cause: z
      .enum(CAUSES)
      .nullable()
      .describe(
        'The step at which the attempt failed: `dns`, `connect` and `tls` while connecting, `timeout` after 5 s to connect or 20 s in all, `http` for the answer, `blocked` for an address that is not allowed, `interrupted` if the service lost the attempt; the receiver may have got it.',
      )
      .meta({ examples: ['http'] }),
    error: z
      .string()
      .nullable()
      .meta({ examples: ['answered 503'] }),
    milliseconds: z
      .int()
      .min(0)
      .nullable()
      .describe('From `started_at` to `ended_at`.')
      .meta({ examples: [120] }),
  })
  .meta({ id: 'WebhookAttempt' });

export const WebhookDeliveryDetail = WebhookDelivery.extend({
  next_attempt_at: instant().nullable().describe('When the next attempt is due. Null if none is waiting.'),
  headers: z
    .record(z.string(), z.string())
    .describe(
      'Headers of the last attempt, without `webhook-signature`. `webhook-timestamp` and signature are new in each attempt.',
    )
    .meta({ examples: [{ 'content-type': 'application/json', 'webhook-id': '019a3f2d-1c2b-7a3d-8e4f-5a6b7c8d9e0f' }] }),
  body: z.string().describe('The body exactly as every attempt sends it, as text.'),
  attempt_log: z.array(WebhookAttempt).describe('The newest 10 attempts, oldest first.'),
}).meta({ id: 'WebhookDeliveryDetail' });

export const toWebhookEndpoint = (endpoint: Endpoint): z.infer<typeof WebhookEndpoint> => ({
  id: endpoint.id,
  url: endpoint.url,
  event_types: endpoint.eventTypes,
  enabled: endpoint.enabled,
  disabled_at: endpoint.disabledAt,
  disabled_reason: endpoint.disabledReason ?? null,
  last_success_at: endpoint.lastSuccessAt,
  created_at: endpoint.createdAt,
  created_by: endpoint.createdBy ? toAuthorView(endpoint.createdBy) : null,
});

export const toWebhookDelivery = (delivery: Delivery): z.infer<typeof WebhookDelivery> => ({
  id: delivery.id,
  event_type: delivery.eventType,
  test: delivery.isTest ?? false,
  status: delivery.status,
  attempts: delivery.attempts,
  response_status: delivery.responseStatus,
  error: delivery.error,
  last_attempt_at: delivery.lastAttemptAt,
  created_at: delivery.createdAt,
});

const toWebhookAttempt = (attempt: AttemptRecord): z.infer<typeof WebhookAttempt> => ({
  number: attempt.number,
  started_at: attempt.startedAt,
  ended_at: attempt.tookMs === null ? null : new Date(Date.parse(attempt.startedAt) + attempt.tookMs).toISOString(),
  status: readStatus(attempt),
  response_status: attempt.responseStatus,
  cause: attempt.failure === 'stopped' ? null : attempt.failure,
  error: attempt.error,
  milliseconds: attempt.tookMs,
});

const readStatus = ({ failure, responseStatus }: AttemptRecord): z.infer<typeof WebhookAttempt>['status'] => {
  if (failure !== null) return 'failed';
  return responseStatus === null ? 'in_progress' : 'delivered';
};

/**
 * @param body the bytes that every attempt sends
 * @param attempts oldest first
 */
export const toWebhookDeliveryDetail = (
  delivery: Delivery,
  body: Uint8Array,
  attempts: readonly AttemptRecord[],
): z.infer<typeof WebhookDeliveryDetail> => ({
  ...toWebhookDelivery(delivery),
  next_attempt_at: delivery.dueAt,
  headers: unsignedHeaders(delivery),
  body: Buffer.from(body).toString(),
  attempt_log: attempts.slice(-WEBHOOK_LIMITS.webhookAttemptsShownMax).map(toWebhookAttempt),
});
