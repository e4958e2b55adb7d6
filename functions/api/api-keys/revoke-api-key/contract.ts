import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ApiKey } from '#shared/http/views/api-key.ts';

export const contract = defineEndpoint({
  id: 'revoke-api-key',
  method: 'DELETE',
  path: '/api-keys/{id}',
  tag: 'API keys',
  summary: 'Revoke an API key',
  description: 'Effective on the next request. Revoking a revoked key changes nothing and returns it.',
  auth: 'session',
  params: { id: { unknown: 'api_key_not_found' } },
  responses: { 200: z.object({ data: ApiKey }) },
  errors: ['api_key_not_found'],
  needs: ['table:read', 'table:write'],
});
