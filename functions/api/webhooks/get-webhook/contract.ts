import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { WebhookEndpoint } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'get-webhook',
  method: 'GET',
  path: '/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Get a webhook endpoint',
  description: 'One endpoint. Its signing secret is never shown again: roll it to get a new one.',
  auth: 'manage',
  params: { id: { unknown: 'webhook_endpoint_not_found' } },
  responses: { 200: z.object({ data: WebhookEndpoint }) },
  errors: ['webhook_endpoint_not_found'],
  needs: ['table:read'],
});
