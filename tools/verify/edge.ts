/**
 * The deployed dashboard on one origin of loopback. The emulator's CloudFront answers as it was configured: behaviours, the
 * functions, headers, the bucket and who may read it. Two things it cannot, and they are done here: it reaches no origin with
 * a name of AWS, so that what the distribution sends to the API goes to the emulator's gateway from here, unchanged but for
 * the host; and it reads the bucket without TLS, as it sees it, which the bucket's policy refuses.
 */
import { createServer, type IncomingMessage } from 'node:http';
import { AGENT_PATHS } from '#shared/agents/addresses.ts';
import { type LoopbackServer, listenOnLoopback } from '#tools/local/loopback-server.ts';
import type { Distribution } from './distribution.ts';
import { forward } from './forward.ts';

interface Policy {
  Statement: { Effect: string; Condition?: Record<string, Record<string, string>> }[];
}

/** @throws Error where nothing refuses what comes without TLS. */
export const letReadWithoutTls = async (endpoint: string, { bucket }: Distribution): Promise<void> => {
  const address = `${endpoint}/${bucket}?policy`;
  const policy = (await (await fetch(address)).json()) as Policy;
  const isOnTls = ({ Effect, Condition }: Policy['Statement'][number]): boolean =>
    Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false';
  if (!policy.Statement.some(isOnTls)) throw new Error(`the policy of ${bucket} lets in what comes without TLS`);
  const body = JSON.stringify({ ...policy, Statement: policy.Statement.filter((each) => !isOnTls(each)) });
  const { ok, status } = await fetch(address, { method: 'PUT', body });
  if (!ok) throw new Error(`the policy of ${bucket} could not be written: ${status}`);
};

/** An agent without a token comes no further than the distribution: a function of it answers, which the emulator runs. */
const endsThere = ({ method, headers }: IncomingMessage, path: string): boolean =>
  path === AGENT_PATHS.mcp && method === 'POST' && headers.authorization === undefined;

/** @param apiUrl as the stack's output names it: its host decides which API the emulator serves */
export const openEdge = (endpoint: string, distribution: Distribution, apiUrl: string): Promise<LoopbackServer> => {
  const api = { host: new URL(apiUrl).host };
  // A browser has spoken TLS with CloudFront.
  const page = { host: distribution.host, 'x-forwarded-proto': 'https' };
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    const isForApi = distribution.isOfApi(path) && !endsThere(request, path);
    forward(request, response, endpoint, isForApi ? api : page);
  });
  return listenOnLoopback(server);
};
