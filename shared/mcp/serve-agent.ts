/** Authenticates requests to the agents' address, and answers the requests that it refuses (RFC 6750, RFC 9728). */
import {
  buildChallenge,
  buildResourceUrl,
  type ChallengeError,
  challengeParameters,
  listOriginNames,
  nameOrigin,
} from '#shared/agents/addresses.ts';
import { publicOrigin } from '#shared/agents/public-origin.ts';
import type { Caller } from '#shared/auth/caller.ts';
import type { ProtocolAnswer, ProtocolLogic } from '#shared/http/protocol-endpoint.ts';
import { callerOfBearer } from '#shared/http/request/auth.ts';
import { addLogFields } from '#shared/platform/log-context.ts';
import { DATA_SCOPE } from '#shared/values/access-scope.ts';
import { mcpAdapter } from './mcp-adapter.ts';
import { createServer } from './mcp-server.ts';
import type { Agent } from './tool.ts';

/** Returns a JSON-RPC error. A request that is refused before it is parsed has no id. */
const refused = (
  status: number,
  message: string,
  { headers = {}, data }: { headers?: Record<string, string>; data?: object } = {},
): ProtocolAnswer => ({
  status,
  headers,
  body: { jsonrpc: '2.0', error: { code: -32_000, message, ...(data === undefined ? {} : { data }) }, id: null },
});

/** Repeats the challenge in the body, because an HTTP API renames the header `www-authenticate` (AWS's documents). */
const challengerAs =
  (origin: string) =>
  (status: 401 | 403, message: string, error?: ChallengeError): ProtocolAnswer =>
    refused(status, message, {
      headers: { 'www-authenticate': buildChallenge(origin, error) },
      data: challengeParameters(origin, error),
    });
type Challenger = ReturnType<typeof challengerAs>;

/**
 * Returns the refusal of a caller, or undefined. A key may read everything, a token only the resource and scope for
 * which it was issued. Tokens of the operator's command have no particular resource.
 */
const refusalOf = ({ access }: Caller, challenged: Challenger): ProtocolAnswer | undefined => {
  if (access === undefined) return undefined;
  if (access.resource !== '' && access.resource !== buildResourceUrl(publicOrigin()))
    return challenged(401, 'The token was issued for another resource.', 'invalid_token');
  if (!access.scope.split(' ').includes(DATA_SCOPE))
    return challenged(403, `The token lacks the scope ${DATA_SCOPE}.`, 'insufficient_scope');
  return undefined;
};

const agentOf = ({ organizationId, kind, id }: Caller): Agent => ({
  organizationId,
  credentialId: id!,
  kind: kind === 'key' ? 'key' : 'access-token',
});

/** Returns the caller in the form of the SDK, which passes it to the factory unchanged. */
const authInfoOf = (agent: Agent) => ({
  token: '',
  clientId: agent.credentialId,
  scopes: [DATA_SCOPE],
  extra: { agent },
});

const adapter = mcpAdapter(({ authInfo }) => createServer(authInfo!.extra!.agent as Agent));

/** Serves one request of an agent. Sessions are not accepted, because cookies never reach this function. */
export const serveAgent: ProtocolLogic = async (request) => {
  const { origin, authorization, host } = request.headers;
  const challenged = challengerAs(nameOrigin(publicOrigin(), host));
  if (origin !== undefined && !listOriginNames(publicOrigin()).includes(origin))
    return refused(403, 'This page may not call.');
  if (authorization === undefined) return challenged(401, 'Send an access token or an API key.');
  const caller = await callerOfBearer(authorization);
  if (caller === undefined) return challenged(401, 'The token is invalid, revoked or expired.', 'invalid_token');
  const refusal = refusalOf(caller, challenged);
  if (refusal !== undefined) return refusal;
  addLogFields({ organization_id: caller.organizationId });
  return adapter(request, authInfoOf(agentOf(caller)));
};
