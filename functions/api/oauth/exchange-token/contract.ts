import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { defineProtocolEndpoint, forPages } from '#shared/http/protocol-contract.ts';

export const contract = defineProtocolEndpoint({
  id: 'exchange-token',
  routes: forPages('POST', AGENT_PATHS.token),
  summary: 'A code or a refresh token for new tokens (RFC 6749 §3.2)',
  bodyBytesMax: AGENT_LIMITS.oauthBodyBytesMax,
  showsSecrets: true,
  failures: { internal: { error: 'server_error' }, tooLarge: { error: 'invalid_request' } },
  needs: ['table:read', 'table:write', 'client-policy', 'public-origin'],
});
