/**
 * The deployed dashboard on one origin of loopback. The emulator's CloudFront answers as it was configured: behaviours, the
 * function, headers, the bucket and who may read it. Two things it cannot, and they are done here: it reaches no origin with
 * a name of AWS, so that what the distribution sends to the API goes to the emulator's gateway from here, unchanged but for
 * the host; and it reads the bucket without TLS, as it sees it, which the bucket's policy refuses.
 */
import { createServer } from 'node:http';
import type { Distribution } from './distribution.ts';
import { forward } from './forward.ts';

export interface Edge {
  /** Origin, no trailing slash. */
  url: string;
  close(): Promise<void>;
}

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

/** @param apiUrl as the stack's output names it: its host decides which API the emulator serves */
export const openEdge = async (endpoint: string, distribution: Distribution, apiUrl: string): Promise<Edge> => {
  const api = { host: new URL(apiUrl).host };
  // A browser has spoken TLS with CloudFront.
  const page = { host: distribution.host, 'x-forwarded-proto': 'https' };
  const server = createServer((request, response) => {
    const [path = '/'] = (request.url ?? '/').split('?');
    forward(request, response, endpoint, distribution.isOfApi(path) ? api : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
