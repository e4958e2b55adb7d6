import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { WebhookEndpointWithSecret } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'roll-webhook-secret',
  method: 'POST',
  path: '/webhooks/{id}/roll-secret',
  tag: 'Webhooks',
  summary: 'Replace the signing secret',
  description:
    'The former secret is invalid at once: every attempt from now on, including retries of older events, is signed with the new one. Only this answer contains it.',
  auth: 'manage',
  params: { id: { unknown: 'webhook_endpoint_not_found' } },
  bodyOptional: true,
  secretResponse: 'rolled the secret of the webhook endpoint',
  responses: { 200: z.object({ data: WebhookEndpointWithSecret }) },
  errors: ['webhook_endpoint_not_found'],
  needs: ['table:read', 'table:write', 'webhook-secrets:encrypt'],
});
