/** A proxy in front of a JSON sandbox: it changes the answers, as a bank with wrong data would. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { JsonObject, Parsed, SourceAdapter } from '#shared/sources/source.ts';
import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { createAsk, createIo, type TestClock } from './ask.ts';

/** Changes the answer in place, or returns another; `asked` is the body of its request. */
export type Lie = (answer: JsonObject, asked: JsonObject) => unknown;

export interface JsonLiar {
  url: string;
  /** The end of an answer's path → its change. */
  lies: Record<string, Lie>;
  close(): Promise<void>;
}

const HOP = /^(?:host|connection|content-length|content-encoding|transfer-encoding|accept-encoding|keep-alive)$/;

const textOf = async (request: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
};

export const startJsonLiar = async (sandboxUrl: string): Promise<JsonLiar> => {
  const changed = (path: string, asked: string, body: string): string => {
    const lie = Object.entries(liar.lies).find(([end]) => path.endsWith(end))?.[1];
    if (lie === undefined) return body;
    const answer = JSON.parse(body) as JsonObject;
    return JSON.stringify(lie(answer, asked === '' ? {} : (JSON.parse(asked) as JsonObject)) ?? answer);
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await textOf(request);
    const headers = Object.entries(request.headers).filter(([name]) => !HOP.test(name)) as [string, string][];
    const answer = await fetch(`${sandboxUrl}${request.url}`, {
      method: request.method!,
      headers,
      redirect: 'manual',
      ...(asked === '' ? {} : { body: asked }),
    });
    for (const [name, value] of answer.headers)
      if (!HOP.test(name) && name !== 'set-cookie') response.setHeader(name, value);
    if (answer.headers.getSetCookie().length > 0) response.setHeader('set-cookie', answer.headers.getSetCookie());
    response.statusCode = answer.status;
    const body = await answer.text();
    response.end(answer.ok ? changed(new URL(request.url!, sandboxUrl).pathname, asked, body) : body);
  };
  const server = createServer((request, response) => {
    forward(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const liar: JsonLiar = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lies: {},
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return liar;
};

export interface LiedTo {
  rows: Record<string, unknown>[];
  /** Code → message. */
  notices: Record<string, string>;
  /** Accounts that the bank lists. */
  accounts: string[];
}

/** One pull through the proxy, and the parser's result. */
export const pullThrough = async (
  liar: JsonLiar,
  source: SourceAdapter,
  credentials: JsonObject,
  scope: string,
  period: string | null,
  clock: TestClock,
  known?: KnownAccounts,
): Promise<LiedTo> => {
  const io = createIo(liar.url, clock);
  const asked = createAsk();
  const session = await source.connect({ credentials, metadata: {} }, io);
  try {
    await source.pull(
      { scope, period, credentials, metadata: {}, input: {} },
      { session, ask: asked.ask, io, progress: () => undefined },
    );
  } finally {
    await source.disconnect(session, io);
  }
  const read: LiedTo = { rows: [], notices: {}, accounts: [] };
  const request = { scope, period, credentials, ...(known && { known }) };
  for (const item of source.parse(request, [...asked.kept.values()]) as Iterable<Parsed>) {
    if ('row' in item) read.rows.push(item.row.row);
    else if ('account' in item) read.accounts.push(item.account.account);
    else if ('notice' in item) read.notices[item.notice.code] = item.notice.message;
    else if ('whereKept' in item) read.notices[item.whereKept.code] = item.whereKept.message;
  }
  return read;
};
