import { defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'close-connect-session',
  method: 'DELETE',
  basePath: '',
  path: '/connect-session',
  tag: 'Connect links',
  summary: "Close a link's session",
  description: 'Removes the cookie, whether or not its session is still open.',
  auth: 'public',
  isForOwnPages: true,
  responses: { 204: NO_BODY },
  errors: ['forbidden'],
  needs: ['table:read', 'table:write'],
});
