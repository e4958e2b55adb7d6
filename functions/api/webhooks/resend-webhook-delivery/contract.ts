import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { WebhookDelivery } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'resend-webhook-delivery',
  method: 'POST',
  path: '/webhooks/{id}/deliveries/{deliveryId}/resend',
  tag: 'Webhooks',
  summary: 'Send a failed delivery again',
  description:
    'One attempt, at once, with the same `webhook-id` and the same body, to the present URL and signed with the present secret. No automatic retries follow it.',
  auth: 'manage',
  params: {
    id: { unknown: 'webhook_endpoint_not_found' },
    deliveryId: { unknown: 'webhook_delivery_not_found' },
  },
  bodyOptional: true,
  responses: { 202: z.object({ data: WebhookDelivery }) },
  errors: [
    'webhook_endpoint_not_found',
    'webhook_delivery_not_found',
    'webhook_delivery_not_failed',
    'webhook_endpoint_disabled',
  ],
  needs: ['table:read', 'table:write', 'send:webhook-deliveries'],
});
