import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { eventTypes, WebhookEndpoint, webhookUrl } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'update-webhook',
  method: 'PATCH',
  path: '/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Change a webhook endpoint',
  description:
    'Changes the given fields. `enabled: false` disables the endpoint, and its waiting deliveries fail. Enabling a disabled endpoint again needs a dashboard session and resets its failures. A new URL also applies to waiting retries.',
  auth: 'manage',
  params: { id: { unknown: 'webhook_endpoint_not_found' } },
  body: z.strictObject({
    url: webhookUrl().optional(),
    event_types: eventTypes().optional(),
    enabled: z.boolean().optional(),
  }),
  responses: { 200: z.object({ data: WebhookEndpoint }) },
  errors: ['webhook_endpoint_not_found', 'forbidden'],
  needs: ['table:read', 'table:write', 'webhook-policy'],
});
