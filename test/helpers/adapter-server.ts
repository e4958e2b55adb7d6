/** An MCP adapter behind a socket, with the gateway's behaviour: whole bodies, and 405 for all methods except POST. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProtocolAnswer, ProtocolRequest } from '#shared/http/protocol-endpoint.ts';

export interface AdapterServer {
  url: string;
  stop(): Promise<void>;
}

type Answers = (request: Pick<ProtocolRequest, 'method' | 'headers' | 'body'>) => Promise<ProtocolAnswer>;

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const send = (response: ServerResponse, { status, headers = {}, body }: ProtocolAnswer): void => {
  response.writeHead(status, headers);
  response.end(typeof body === 'string' || body === undefined ? body : JSON.stringify(body));
};

export const serveAdapter = async (answers: Answers): Promise<AdapterServer> => {
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      if (request.method !== 'POST') return send(response, { status: 405, headers: { allow: 'POST' } });
      const headers = request.headers as Record<string, string | undefined>;
      send(response, await answers({ method: 'POST', headers, body: await bodyOf(request) }));
    };
    answer().catch((error: Error) => send(response, { status: 500, body: error.message }));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: () => new Promise((done) => server.close(() => done())),
  };
};
