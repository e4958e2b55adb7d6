/**
 * Code of the CloudFront function in front of the agents' address: a request without a token gets a response that says
 * where to obtain a token. The local stack runs the same code.
 */
import { AGENT_PATHS, buildChallenge } from '#shared/agents/addresses.ts';

/** Placeholder for the host; only the running function knows the host of a request. */
const HOST = '{host}';

/**
 * Returns the code of a viewer-request function: it answers a POST without `authorization` with 401, and lets all other
 * requests pass, without the slash that some clients write at the end of an address.
 * @param origin scheme and host; null for https and the request's own host
 */
export const agentChallenge = (origin: string | null): string => `function handler(event) {
  var request = event.request;
  request.uri = request.uri.replace(/\\/$/, '');
  if (request.uri !== '${AGENT_PATHS.mcp}' || request.method !== 'POST' || request.headers.authorization) return request;
  var challenge = ${JSON.stringify(buildChallenge(origin ?? `https://${HOST}`))};
  return {
    statusCode: 401,
    statusDescription: 'Unauthorized',
    headers: {
      'www-authenticate': { value: challenge.split('${HOST}').join(request.headers.host.value) },
      'cache-control': { value: 'no-store' }
    }
  };
}`;
