/**
 * Where agents find what they need, below the public origin (RFC 8414 §3, RFC 9728 §3). Clients compare these as strings:
 * no origin here ends in a slash, and none comes from a request.
 */
import { DATA_SCOPE } from '#shared/values/access-scope.ts';

export const AGENT_PATHS = {
  mcp: '/api/mcp',
  /** A page of the dashboard. */
  authorize: '/authorize',
  token: '/api/oauth/token',
  revoke: '/api/oauth/revoke',
  register: '/api/oauth/register',
  serverMetadata: '/.well-known/oauth-authorization-server',
  /** Of a resource with a path, and where clients look that leave the path away. */
  resourceMetadata: '/.well-known/oauth-protected-resource/api/mcp',
  resourceMetadataAtRoot: '/.well-known/oauth-protected-resource',
} as const;

/** The one protected resource. */
export const buildResourceUrl = (origin: string): string => `${origin}${AGENT_PATHS.mcp}`;

/**
 * `WWW-Authenticate` of whoever comes to the resource without a token that holds (RFC 6750 §3, RFC 9728 §5.1).
 * @param error absent where no token was sent
 */
export const buildChallenge = (origin: string, error?: 'invalid_token' | 'insufficient_scope'): string =>
  `Bearer ${error === undefined ? '' : `error="${error}", `}resource_metadata="${origin}${AGENT_PATHS.resourceMetadata}", scope="${DATA_SCOPE}"`;
