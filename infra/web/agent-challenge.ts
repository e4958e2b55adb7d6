/**
 * CloudFront's own JavaScript in front of the address of agents: whoever comes without a token is told here where to get
 * one. The local front runs the same text.
 */
import { buildChallenge } from '#shared/agents/addresses.ts';

/** Takes the host's place in the text: a request's own host is known to the function alone. */
const HOST = '{host}';

/**
 * A viewer-request function for a path: answers a POST without `authorization` with 401, lets all others pass.
 * @param origin scheme and host; null: https and the request's own host
 */
export const agentChallenge = (origin: string | null): string => `function handler(event) {
  var request = event.request;
  if (request.method !== 'POST' || request.headers.authorization) return request;
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
