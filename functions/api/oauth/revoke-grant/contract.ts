import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { Grant } from '#shared/http/views/grant.ts';

export const contract = defineEndpoint({
  id: 'revoke-grant',
  method: 'DELETE',
  path: '/oauth/grants/{id}',
  tag: 'Applications',
  summary: 'Revoke a granted application',
  description:
    'Its tokens are refused from the next request on. Revoking a revoked permission changes nothing and returns it.',
  auth: 'session',
  params: { id: { unknown: 'grant_not_found' } },
  responses: { 200: z.object({ data: Grant }) },
  errors: ['grant_not_found'],
  needs: ['table:read', 'table:write'],
});
