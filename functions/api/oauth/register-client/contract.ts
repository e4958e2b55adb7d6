import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { defineProtocolEndpoint, forPages } from '#shared/http/protocol-contract.ts';

export const contract = defineProtocolEndpoint({
  id: 'register-client',
  routes: forPages('POST', AGENT_PATHS.register),
  summary: 'An id for a client that publishes nothing of itself (RFC 7591); stores nothing',
  bodyBytesMax: AGENT_LIMITS.oauthBodyBytesMax,
  showsSecrets: false,
  failures: { internal: { error: 'server_error' }, tooLarge: { error: 'invalid_request' } },
  needs: ['client-policy'],
});
