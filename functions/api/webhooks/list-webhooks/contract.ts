import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { WebhookEndpoint } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'list-webhooks',
  method: 'GET',
  path: '/webhooks',
  tag: 'Webhooks',
  summary: 'List webhook endpoints',
  description:
    "The organization's endpoints, newest created first, including disabled ones. Secrets are never included.",
  auth: 'manage',
  responses: { 200: z.object({ data: z.array(WebhookEndpoint) }) },
  errors: [],
  needs: ['table:read'],
});
