/** A proxy in front of a simulated institution: `lie` may change every answer. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface RequestContext {
  method: string;
  /** Path and query. */
  url: string;
  /** Body of the request. */
  asked: string;
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Changes the context in place, or returns another body. */
export type Lie = (context: RequestContext) => Buffer | string | undefined;

export interface Liar {
  url: string;
  lie: Lie;
  close(): Promise<void>;
}

const HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive']);

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

export const startLiar = async (institutionUrl: string): Promise<Liar> => {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await bodyOf(request);
    const sent = Object.entries(request.headers).filter(([name]) => !HOP.has(name));
    const answer = await fetch(`${institutionUrl}${request.url}`, {
      method: request.method!,
      headers: Object.fromEntries(sent) as Record<string, string>,
      redirect: 'manual',
      ...(asked.length > 0 ? { body: asked } : {}),
    });
    const cookies = answer.headers.getSetCookie();
    const context: RequestContext = {
      method: request.method!,
      url: request.url!,
      asked: asked.toString(),
      status: answer.status,
      headers: Object.fromEntries(
        [...answer.headers].filter(([name]) => !HOP.has(name) && !['set-cookie', 'content-encoding'].includes(name)),
      ),
      body: Buffer.from(await answer.arrayBuffer()),
    };
    const body = liar.lie(context) ?? context.body;
    for (const [name, value] of Object.entries(context.headers)) response.setHeader(name, value);
    if (cookies.length > 0) response.setHeader('set-cookie', cookies);
    response.statusCode = context.status;
    response.end(body);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const liar: Liar = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: () => undefined,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return liar;
};
