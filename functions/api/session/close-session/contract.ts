import { defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'close-session',
  method: 'DELETE',
  basePath: '',
  path: '/session',
  tag: 'System',
  summary: 'Close the dashboard session',
  description:
    'Removes the session cookie, whether or not the session is still valid. The dashboard uses it to sign out.',
  auth: 'public',
  isForOwnPages: true,
  responses: { 204: NO_BODY },
  errors: ['forbidden'],
  needs: ['sessions:verify', 'table:write'],
});
