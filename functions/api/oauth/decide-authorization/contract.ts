import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { AUTHORIZATION_QUERY } from '#shared/http/views/grant.ts';
import { LIMITS } from '#shared/platform/limits.ts';

const REDIRECT = 'https://agent.example/callback?error=access_denied&state=af0ifjsldkj&iss=https%3A%2F%2Fapp.example';

export const contract = defineEndpoint({
  id: 'decide-authorization',
  method: 'POST',
  path: '/oauth/decisions',
  tag: 'Applications',
  summary: 'Allow or deny what an application asks for',
  description:
    'The request is validated again: if it has changed since the review, the answer is 409 `authorization_changed`, and the ' +
    'person must be asked again. Returns the address of the application at which the browser continues.',
  auth: 'session',
  body: z.strictObject({
    query: z
      .string()
      .min(1)
      .max(LIMITS.consentQueryCharsMax)
      .describe('The same query as in the review.')
      .meta({ examples: [AUTHORIZATION_QUERY] }),
    digest: z
      .string()
      .min(1)
      .max(64)
      .describe('Digest of the request that the person saw.')
      .meta({ examples: ['E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'] }),
    decision: z.enum(['allow', 'deny']).meta({ examples: ['deny'] }),
  }),
  takesIdempotencyKey: false,
  secretResponse: 'made a code for the grant',
  responses: { 200: z.object({ data: z.object({ redirect_to: z.string().meta({ examples: [REDIRECT] }) }) }) },
  errors: ['rate_limited', 'grant_limit_reached', 'authorization_changed'],
  needs: ['table:read', 'table:write', 'public-origin', 'client-policy'],
});
