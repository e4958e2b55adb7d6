import { defineEndpoint, NO_BODY } from '#shared/http/contract.ts';

export const contract = defineEndpoint({
  id: 'close-session',
  method: 'DELETE',
  basePath: '',
  path: '/session',
  tag: 'System',
  summary: 'Close the dashboard session',
  description: 'Takes the session cookie away, whether or not it still held. For the dashboard: signing out.',
  auth: 'public',
  responses: { 204: NO_BODY },
  errors: [],
  needs: [],
});
