import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { defineProtocolEndpoint, forPages } from '#shared/http/protocol-contract.ts';

export const contract = defineProtocolEndpoint({
  id: 'get-oauth-metadata',
  routes: [
    ...forPages('GET', AGENT_PATHS.serverMetadata),
    ...forPages('GET', AGENT_PATHS.resourceMetadata),
    ...forPages('GET', AGENT_PATHS.resourceMetadataAtRoot),
  ],
  summary: 'Where a client registers, asks for a permission and reads (RFC 8414, RFC 9728)',
  bodyBytesMax: AGENT_LIMITS.oauthBodyBytesMax,
  showsSecrets: false,
  failures: { internal: { error: 'server_error' }, tooLarge: { error: 'invalid_request' } },
  needs: ['public-origin'],
});
