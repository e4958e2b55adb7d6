import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { Grant } from '#shared/http/views/grant.ts';

export const contract = defineEndpoint({
  id: 'list-grants',
  method: 'GET',
  path: '/oauth/grants',
  tag: 'Applications',
  summary: 'List granted applications',
  description:
    'Permissions that people of the organization gave to applications, newest first; a revoked one stays for 30 days. ' +
    'Tokens are never included.',
  auth: 'session',
  responses: { 200: z.object({ data: z.array(Grant) }) },
  errors: [],
  needs: ['table:read'],
});
