/**
 * CloudFront's own JavaScript in front of the agents' address: a request without a token gets an answer that says where
 * to obtain one. The local stack runs the same text.
 */
import { challengeOf } from '#shared/agents/addresses.ts';

/** Placeholder for the host in the text; only the function knows the request's own host. */
const HOST = '{host}';

/**
 * A viewer-request function for a path: answers a POST without `authorization` with 401 and lets all others pass.
 * @param origin scheme and host; null for https and the request's own host
 */
export const agentChallenge = (origin: string | null): string => `function handler(event) {
  var request = event.request;
  if (request.method !== 'POST' || request.headers.authorization) return request;
  var challenge = ${JSON.stringify(challengeOf(origin ?? `https://${HOST}`))};
  return {
    statusCode: 401,
    statusDescription: 'Unauthorized',
    headers: {
      'www-authenticate': { value: challenge.split('${HOST}').join(request.headers.host.value) },
      'cache-control': { value: 'no-store' }
    }
  };
}`;
