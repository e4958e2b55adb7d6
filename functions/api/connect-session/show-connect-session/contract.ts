import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { ConnectSessionView } from '#shared/http/views/connect-link.ts';

export const contract = defineEndpoint({
  id: 'show-connect-session',
  method: 'GET',
  basePath: '',
  path: '/connect-session',
  tag: 'Connect links',
  summary: "Show a link's session",
  description: 'Who asks for what, the form of the credentials, and what became of them. It shows no other data.',
  // The endpoint is public because the handler verifies the cookie of the session.
  auth: 'public',
  isForOwnPages: true,
  responses: { 200: z.object({ data: ConnectSessionView }) },
  errors: ['forbidden', 'connect_link_ended'],
  needs: ['table:read', 'table:stamp'],
});
