import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { defineProtocolEndpoint } from '#shared/http/protocol-contract.ts';

export const contract = defineProtocolEndpoint({
  id: 'get-oauth-metadata',
  routes: [
    { method: 'GET', path: AGENT_PATHS.serverMetadata },
    { method: 'GET', path: AGENT_PATHS.resourceMetadata },
    { method: 'GET', path: AGENT_PATHS.resourceMetadataAtRoot },
  ],
  summary: 'Where a client registers, asks for a permission and reads (RFC 8414, RFC 9728)',
  bodyBytesMax: AGENT_LIMITS.oauthBodyBytesMax,
  showsSecrets: false,
  failures: { internal: { error: 'server_error' }, tooLarge: { error: 'invalid_request' } },
  needs: ['public-origin'],
});
