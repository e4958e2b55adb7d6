import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { eventTypes, WebhookEndpointWithSecret, webhookUrl } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'create-webhook',
  method: 'POST',
  path: '/webhooks',
  tag: 'Webhooks',
  summary: 'Create a webhook endpoint',
  description:
    'From now on the end of every sync run of these types is sent to the URL, signed. Only this answer contains the signing secret. At most 50 endpoints per organization.',
  auth: 'manage',
  body: z.strictObject({ url: webhookUrl(), event_types: eventTypes() }),
  secretResponse: 'made the webhook endpoint',
  responses: { 201: z.object({ data: WebhookEndpointWithSecret }) },
  errors: ['webhook_limit_reached'],
  needs: ['table:read', 'table:write', 'webhook-secrets:encrypt', 'webhook-policy'],
});
