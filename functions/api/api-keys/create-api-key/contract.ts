import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ApiKey } from '#shared/http/views/api-key.ts';
import { name } from '#shared/http/views/name.ts';

export const contract = defineEndpoint({
  id: 'create-api-key',
  method: 'POST',
  path: '/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description: 'Only this answer contains the complete token; it cannot be shown again.',
  auth: 'session',
  body: z.strictObject({
    name: name(),
    expires_at: z.iso
      .datetime({ offset: true })
      .nullish()
      .describe('The key is refused from this time on. It must be in the future and may have any offset.'),
  }),
  secretResponse: 'made the API key',
  responses: { 201: z.object({ data: ApiKey.extend({ key: z.string().describe('The token, shown only here.') }) }) },
  errors: [],
  needs: ['table:read', 'table:write'],
});
