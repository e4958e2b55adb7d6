import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ApiKey } from '#shared/http/views/api-key.ts';

export const contract = defineEndpoint({
  id: 'list-api-keys',
  method: 'GET',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: "The organization's keys, newest created first. Tokens are never included.",
  auth: 'session',
  responses: { 200: z.object({ data: z.array(ApiKey) }) },
  errors: [],
  needs: ['table:read'],
});
