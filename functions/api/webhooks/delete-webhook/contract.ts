import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { uuid } from '#shared/values/fields.ts';

export const contract = defineEndpoint({
  id: 'delete-webhook',
  method: 'DELETE',
  path: '/webhooks/{id}',
  tag: 'Webhooks',
  summary: 'Delete a webhook endpoint',
  description: 'Deletes the endpoint at once. Its waiting deliveries get no further attempt.',
  auth: 'manage',
  params: { id: { unknown: 'webhook_endpoint_not_found' } },
  responses: { 200: z.object({ data: z.object({ id: uuid(), deleted: z.literal(true) }) }) },
  errors: ['webhook_endpoint_not_found'],
  needs: ['table:read', 'table:write', 'table:delete'],
});
