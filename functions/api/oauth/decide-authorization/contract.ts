import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { LIMITS } from '#shared/platform/limits.ts';

export const contract = defineEndpoint({
  id: 'decide-authorization',
  method: 'POST',
  path: '/oauth/decisions',
  tag: 'Applications',
  summary: 'Allow or deny what an application asks for',
  description:
    'The question is judged again: where it is another one by now, 409 `authorization_changed`, and the person is asked ' +
    'anew. Answers the address of the application at which the browser goes on.',
  auth: 'session',
  body: z.strictObject({
    query: z.string().min(1).max(LIMITS.consentQueryCharsMax).describe('As it was reviewed.'),
    digest: z.string().min(1).max(64).describe('Of the question that the person saw.'),
    decision: z.enum(['allow', 'deny']),
  }),
  takesIdempotencyKey: false,
  secretResponse: 'made a code for the grant',
  responses: { 200: z.object({ data: z.object({ redirect_to: z.string() }) }) },
  errors: ['rate_limited', 'grant_limit_reached', 'authorization_changed'],
  needs: ['table:read', 'table:write', 'public-origin', 'client-policy'],
});
