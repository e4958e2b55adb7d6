import { defineEndpoint } from '#shared/http/contract.ts';

/** The `$default` route, for every request that no other route matches. */
export const contract = defineEndpoint({
  id: 'not-found',
  method: 'ANY',
  path: '$default',
  tag: 'System',
  summary: 'Answer to unknown routes',
  description: 'Unknown path: 404 `not_found`. Known path with another method: 405 `method_not_allowed` with `Allow`.',
  auth: 'public',
  responses: {},
  errors: ['not_found', 'method_not_allowed'],
  needs: [],
});
