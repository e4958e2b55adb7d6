/** Builds the metadata that a client reads first: RFC 8414 for the authorization server, RFC 9728 for the resource. */
import { DATA_SCOPE } from '#shared/values/access-scope.ts';
import { AGENT_PATHS, buildResourceUrl } from './addresses.ts';
import { CLIENT_AUTHS } from './client-id.rules.ts';
import { ASSERTION_ALGORITHMS } from './client-keys.rules.ts';

export const serverMetadata = (origin: string) => ({
  issuer: origin,
  authorization_endpoint: `${origin}${AGENT_PATHS.authorize}`,
  token_endpoint: `${origin}${AGENT_PATHS.token}`,
  revocation_endpoint: `${origin}${AGENT_PATHS.revoke}`,
  registration_endpoint: `${origin}${AGENT_PATHS.register}`,
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: ['none', ...CLIENT_AUTHS],
  token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  revocation_endpoint_auth_methods_supported: ['none', ...CLIENT_AUTHS],
  revocation_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
  code_challenge_methods_supported: ['S256'],
  scopes_supported: [DATA_SCOPE],
  client_id_metadata_document_supported: true,
  authorization_response_iss_parameter_supported: true,
});

/** @param name name of the origin that the client used */
export const resourceMetadata = (origin: string, name: string) => ({
  resource: buildResourceUrl(name),
  authorization_servers: [origin],
  scopes_supported: [DATA_SCOPE],
  bearer_methods_supported: ['header'],
});
