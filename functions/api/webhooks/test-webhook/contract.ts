import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { eventType, WebhookDelivery } from '#shared/http/views/webhook.ts';

export const contract = defineEndpoint({
  id: 'test-webhook',
  method: 'POST',
  path: '/webhooks/{id}/test',
  tag: 'Webhooks',
  summary: 'Send a test delivery',
  description:
    'One attempt, at once and signed, also to a disabled endpoint, with the header `webhook-test: true`. The ids in its `data` are 00000000-0000-0000-0000-000000000000. The endpoint stays as it is: a test is no success and no failure of it. Read the delivery to see what the receiver answered. At most 10 a minute and organization.',
  auth: 'manage',
  params: { id: { unknown: 'webhook_endpoint_not_found' } },
  body: z.strictObject({
    event_type: eventType()
      .nullish()
      .describe('Type of the event, also one that the endpoint does not get. Default: the first of its `event_types`.'),
  }),
  bodyOptional: true,
  responses: { 202: z.object({ data: WebhookDelivery }) },
  errors: ['webhook_endpoint_not_found', 'rate_limited'],
  needs: ['table:read', 'table:write', 'send:webhook-deliveries'],
});
