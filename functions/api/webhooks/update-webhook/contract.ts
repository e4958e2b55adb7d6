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
    'Changes what is given. `enabled: false` disables it: deliveries that wait for it end failed. Enabling a disabled endpoint again needs a dashboard session and forgets its failures. A new URL also holds for retries that are waiting.',
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
