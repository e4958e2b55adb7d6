import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { defineProtocolEndpoint, forPages } from '#shared/http/protocol-contract.ts';

export const contract = defineProtocolEndpoint({
  id: 'revoke-token',
  routes: forPages('POST', AGENT_PATHS.revoke),
  summary: 'End the grant of a token (RFC 7009)',
  bodyBytesMax: AGENT_LIMITS.oauthBodyBytesMax,
  showsSecrets: true,
  failures: { internal: { error: 'server_error' }, tooLarge: { error: 'invalid_request' } },
  needs: ['table:read', 'table:write', 'client-policy', 'public-origin'],
});
