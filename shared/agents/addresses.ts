/**
 * Addresses for agents, relative to the public origin (RFC 8414 §3, RFC 9728 §3). Clients compare addresses as strings,
 * so no origin ends in a slash, and no origin is taken from a request.
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
  /** Metadata address of a resource with a path, and the metadata address for clients that omit the path. */
  resourceMetadata: '/.well-known/oauth-protected-resource/api/mcp',
  resourceMetadataAtRoot: '/.well-known/oauth-protected-resource',
} as const;

const LOOPBACK = /^http:\/\/127\.0\.0\.1(?=:\d+$)/;

/** Returns the names of an origin. The local stage has a second one, because clients may call this machine `localhost`. */
export const listOriginNames = (origin: string): readonly string[] =>
  LOOPBACK.test(origin) ? [origin, origin.replace(LOOPBACK, 'http://localhost')] : [origin];

/** Returns the name of the origin that a request used, and otherwise the origin itself. */
export const nameOrigin = (origin: string, host: string | undefined): string =>
  listOriginNames(origin).find((each) => new URL(each).host === host) ?? origin;

/** Returns the URL of the only protected resource. */
export const buildResourceUrl = (origin: string): string => `${origin}${AGENT_PATHS.mcp}`;

export type ChallengeError = 'invalid_token' | 'insufficient_scope';

/**
 * Returns the parameters of the challenge, in order (RFC 6750 §3, RFC 9728 §5.1).
 * @param error absent if no token was sent
 */
export const challengeParameters = (origin: string, error?: ChallengeError): Record<string, string> => ({
  ...(error === undefined ? {} : { error }),
  resource_metadata: `${origin}${AGENT_PATHS.resourceMetadata}`,
  scope: DATA_SCOPE,
});

/** Returns the `WWW-Authenticate` header for a request to the resource without a valid token. */
export const buildChallenge = (origin: string, error?: ChallengeError): string =>
  `Bearer ${Object.entries(challengeParameters(origin, error))
    .map(([name, value]) => `${name}="${value}"`)
    .join(', ')}`;
