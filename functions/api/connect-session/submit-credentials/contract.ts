import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ConnectSessionView } from '#shared/http/views/connect-link.ts';

const SESSION_ID_CHARS_MAX = 64;

export const contract = defineEndpoint({
  id: 'submit-credentials',
  method: 'POST',
  basePath: '',
  path: '/connect-session/credentials',
  tag: 'Connect links',
  summary: 'Send the credentials that a link asks for',
  description:
    'Stores them encrypted and starts the sync that tries them. After a refusal the customer can send others, within the ' +
    'rules for logins.',
  auth: 'public',
  isForOwnPages: true,
  takesIdempotencyKey: false,
  body: z.strictObject({
    session_id: z.string().max(SESSION_ID_CHARS_MAX),
    credentials: z.record(z.string(), z.unknown()),
  }),
  responses: { 202: z.object({ data: ConnectSessionView }) },
  errors: ['forbidden', 'connect_link_ended', 'connect_link_busy', 'connect_link_other_login', 'rate_limited'],
  needs: ['table:read', 'table:write', 'table:delete', 'connection-secrets:encrypt', 'send:sync-requests'],
});
