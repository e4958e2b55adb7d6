import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { paginated } from '#shared/http/lists/pagination.ts';
import { WebhookDelivery } from '#shared/http/views/webhook.ts';
import { page } from '#shared/scopes/scope.ts';

export const contract = defineEndpoint({
  id: 'list-webhook-deliveries',
  method: 'GET',
  path: '/webhooks/{id}/deliveries',
  tag: 'Webhooks',
  summary: 'List the deliveries of a webhook endpoint',
  description: 'The newest 1,000 of the last 90 days, newest created first.',
  auth: 'manage',
  params: { id: { unknown: 'webhook_endpoint_not_found' } },
  query: z.object(page),
  responses: { 200: paginated(WebhookDelivery) },
  errors: ['webhook_endpoint_not_found'],
  needs: ['table:read'],
});
