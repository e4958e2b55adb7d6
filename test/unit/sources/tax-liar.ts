/** A proxy in front of the tax sandbox that changes answers: wrong data of an institution, on the wire. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';

/** An HTTP status instead of an answer. */
export class Status {
  readonly status: number;
  constructor(status: number) {
    this.status = status;
  }
}

/** A whole answer of the facade, to change in place or to replace; `asked` is the `data` of its request. */
export type Lie = (method: string, answer: Answer, asked: Record<string, unknown>) => unknown;

export interface Answer {
  data: Record<string, unknown>[] | null;
  respEstado: Record<string, unknown>;
  [key: string]: unknown;
}

export interface Liar {
  url: string;
  lie: Lie;
  /** Changes the text of a file. */
  lieOfFile: (text: string) => string | Buffer;
  /** Methods that were called, in order. */
  called: string[];
  close(): Promise<void>;
}

const bodyOf = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

const HOP = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding', 'keep-alive']);

export const startLiar = async (sandboxUrl: string): Promise<Liar> => {
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await bodyOf(request);
    const headers = Object.entries(request.headers).filter(([name]) => !HOP.has(name));
    const answer = await fetch(`${sandboxUrl}${request.url}`, {
      method: request.method!,
      headers: Object.fromEntries(headers) as Record<string, string>,
      redirect: 'manual',
      ...(body.length > 0 ? { body } : {}),
    });
    for (const [name, value] of answer.headers)
      if (!HOP.has(name) && name !== 'set-cookie' && name !== 'content-encoding') response.setHeader(name, value);
    const cookies = answer.headers.getSetCookie();
    if (cookies.length > 0) response.setHeader('set-cookie', cookies);
    const told = changed(request.url!, body, Buffer.from(await answer.arrayBuffer()));
    response.statusCode = told instanceof Status ? told.status : answer.status;
    response.end(told instanceof Status ? '' : told);
  };

  const changed = (url: string, asked: Buffer, body: Buffer): Buffer | string | Status => {
    const method = /facadeService(?:BoletasDiarias)?\/(\w+)/.exec(url)?.[1];
    if (method === undefined) return body;
    liar.called.push(method);
    if (method === 'obtenerArchivoBLOB') return gzipSync(liar.lieOfFile(gunzipSync(body).toString('utf8')));
    const answer = JSON.parse(body.toString('utf8')) as Answer;
    const told = liar.lie(method, answer, JSON.parse(asked.toString('utf8')).data) ?? answer;
    return Buffer.isBuffer(told) || told instanceof Status ? told : JSON.stringify(told);
  };

  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const liar: Liar = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lie: () => undefined,
    lieOfFile: (text) => text,
    called: [],
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return liar;
};
