/**
 * Runs the code of the CloudFront function that is deployed in front of the agents' address. The function answers a
 * request without a token with a response that says where to obtain a token.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, createContext, runInContext } from 'node:vm';
import { agentChallenge } from '#infra/web/agent-challenge.ts';
import { AGENT_PATHS, listOriginNames, nameOrigin } from '#shared/agents/addresses.ts';
import { mustGet } from '#shared/values/must-get.ts';

interface EdgeRequest {
  uri: string;
  method: string;
  headers: Record<string, { value: string }>;
}

interface EdgeAnswer {
  statusCode: number;
  headers: Record<string, { value: string }>;
}

const edgeRequest = ({ method = 'GET', headers }: IncomingMessage, uri: string): EdgeRequest => ({
  uri,
  method,
  headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value: String(value) }])),
});

/** True for the paths for which CloudFront runs the function (infra/stacks/web-stack.ts). */
const isForAgents = (path: string): boolean =>
  path === AGENT_PATHS.mcp || path === `${AGENT_PATHS.mcp}/` || path.startsWith('/.well-known/');

const runsFor = (origin: string): Context => {
  const context = createContext({});
  runInContext(agentChallenge(origin), context);
  return context;
};

export type ServeAgent = (request: IncomingMessage, response: ServerResponse, path: string) => boolean;

/**
 * Returns a function that answers a request without a token. It returns false for a request that it does not answer, whose
 * address it may have shortened by a slash.
 * @param origin origin of this machine's stack
 */
export const createAgentFront = (origin: string): ServeAgent => {
  const contexts = new Map(listOriginNames(origin).map((name) => [name, runsFor(name)]));
  const handle = (request: EdgeRequest): EdgeRequest | EdgeAnswer =>
    runInContext(
      `handler(${JSON.stringify({ request })})`,
      mustGet(contexts, nameOrigin(origin, request.headers.host?.value)),
    ) as EdgeRequest | EdgeAnswer;
  return (request, response, path) => {
    if (!isForAgents(path)) return false;
    const said = handle(edgeRequest(request, path));
    if (!('statusCode' in said)) {
      request.url = said.uri + (request.url ?? '').slice(path.length);
      return false;
    }
    const headers = Object.entries(said.headers).map(([name, { value }]) => [name, value]);
    response.writeHead(said.statusCode, Object.fromEntries(headers) as Record<string, string>).end();
    request.resume();
    return true;
  };
};
