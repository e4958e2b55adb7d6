import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ConnectSessionView } from '#shared/http/views/connect-link.ts';

const TEXT_CHARS_MAX = 200;

export const contract = defineEndpoint({
  id: 'open-connect-session',
  method: 'POST',
  basePath: '',
  path: '/connect-session',
  tag: 'Connect links',
  summary: 'Open the session of a connect link',
  description:
    "The page of a link sends the token of its address once, and for a standing link the signed reference. The session's " +
    'cookie is new each time, and ends an older session of the same customer.',
  // The endpoint is public because the handler verifies the token in the body.
  auth: 'public',
  isForOwnPages: true,
  takesIdempotencyKey: false,
  body: z.strictObject({
    token: z.string().max(TEXT_CHARS_MAX),
    reference: z.string().max(TEXT_CHARS_MAX).nullish(),
    expires: z.string().max(TEXT_CHARS_MAX).nullish(),
    signature: z.string().max(TEXT_CHARS_MAX).nullish(),
  }),
  responses: { 200: z.object({ data: ConnectSessionView }) },
  errors: ['forbidden', 'connect_link_ended'],
  needs: ['table:read', 'table:write', 'link-secrets:decrypt'],
});
