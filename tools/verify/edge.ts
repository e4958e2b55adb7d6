/**
 * Serves the deployed dashboard from one origin on loopback. The emulator's CloudFront works as configured: behaviours,
 * functions, headers, the bucket and its policy. This file fills two gaps of the emulator. The emulator reaches no
 * origin with an AWS name, so this file forwards requests for the API to the emulator's gateway, unchanged except for
 * the host. The emulator also reads the bucket without TLS, which the bucket's policy refuses.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { type LoopbackServer, listenOnLoopback } from '#tools/local/loopback-server.ts';
import type { Distribution } from './distribution.ts';
import { forward } from './forward.ts';

interface Policy {
  Statement: { Effect: string; Condition?: Record<string, Record<string, string>> }[];
}

/**
 * Removes the statement that refuses requests without TLS from the bucket's policy. @throws Error when the policy has
 * no such statement
 */
export const letReadWithoutTls = async (endpoint: string, { bucket }: Distribution): Promise<void> => {
  const address = `${endpoint}/${bucket}?policy`;
  const policy = (await (await fetch(address)).json()) as Policy;
  const isOnTls = ({ Effect, Condition }: Policy['Statement'][number]): boolean =>
    Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false';
  if (!policy.Statement.some(isOnTls)) throw new Error(`the policy of ${bucket} allows requests without TLS`);
  const body = JSON.stringify({ ...policy, Statement: policy.Statement.filter((each) => !isOnTls(each)) });
  const { ok, status } = await fetch(address, { method: 'PUT', body });
  if (!ok) throw new Error(`the policy of ${bucket} could not be written: ${status}`);
};

/**
 * True if the distribution itself answers the request. The distribution's function answers an agent's request without a
 * token, and the emulator runs this function.
 */
const endsThere = ({ method, headers }: IncomingMessage, path: string): boolean =>
  path === AGENT_PATHS.mcp && method === 'POST' && headers.authorization === undefined;

/**
 * Opens the origin on loopback.
 * @param apiUrl value of the stack's output; its host selects the API in the emulator
 */
export const openEdge = (endpoint: string, distribution: Distribution, apiUrl: string): Promise<LoopbackServer> => {
  const api = { host: new URL(apiUrl).host };
  // The header says that the request used TLS, as a request from a browser to CloudFront does.
  const page = { host: distribution.host, 'x-forwarded-proto': 'https' };
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const isForApi = distribution.isOfApi(path) && !endsThere(request, path);
    forward(request, response, endpoint, isForApi ? api : page);
  });
  return listenOnLoopback(server);
};
