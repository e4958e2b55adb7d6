import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { WebhookDeliveryDetail } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'get-webhook-delivery',
  method: 'GET',
  path: '/webhooks/{id}/deliveries/{deliveryId}',
  tag: 'Webhooks',
  summary: 'Get a delivery',
  description: 'What is sent, when the next attempt is due, and the newest 10 attempts, oldest first.',
  auth: 'manage',
  params: {
    id: { unknown: 'webhook_endpoint_not_found' },
    deliveryId: { unknown: 'webhook_delivery_not_found' },
  },
  responses: { 200: z.object({ data: WebhookDeliveryDetail }) },
  errors: ['webhook_endpoint_not_found', 'webhook_delivery_not_found'],
  needs: ['table:read'],
});
