import * as z from 'zod';
import { AUTH_LIMITS } from '#shared/auth/limits.ts';
import { defineEndpoint } from '#shared/http/contract.ts';
import { instant } from '#shared/values/fields.ts';

export const contract = defineEndpoint({
  id: 'open-session',
  method: 'PUT',
  basePath: '',
  path: '/session',
  tag: 'System',
  summary: 'Open a dashboard session',
  description:
    'Checks a token of the configured issuer and stores it in the session cookie, which no script of a page can read. ' +
    'For the dashboard after signing in, and not part of the description: integrators use API keys.',
  // The endpoint is public because the handler verifies the token in the body.
  auth: 'public',
  isForOwnPages: true,
  body: z.strictObject({ access_token: z.string().min(1).max(AUTH_LIMITS.sessionTokenCharsMax) }),
  responses: { 200: z.object({ data: z.object({ expires_at: instant() }) }) },
  errors: ['unauthorized', 'forbidden'],
  needs: ['sessions:verify', 'table:write'],
});
