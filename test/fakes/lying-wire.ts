/**
 * The wire between adapter and sandbox: a test changes answers as an institution with wrong data would. Its file
 * replaces shared/transport/connections.ts with this one.
 */
import { vi } from 'vitest';
import type { HttpConnections, HttpConnectionsOptions, IncomingAnswer } from '#shared/transport/connections.ts';

export interface Told {
  status: number;
  /** ISO-8859-1, so that no byte changes. */
  body: string;
}

/** Returns undefined to leave the answer unchanged. */
export type Lie = (path: string, asked: string, answer: Told) => Told | undefined;

const real = await vi.importActual<typeof import('#shared/transport/connections.ts')>(
  '#shared/transport/connections.ts',
);

let lie: Lie = () => undefined;

async function* inOnePiece(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}

const changeAnswer = async (
  { status, headers, cookies, body }: IncomingAnswer,
  path: string,
  asked: string,
): Promise<IncomingAnswer> => {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const told = lie(path, asked, { status, body: bytes.toString('latin1') });
  const { 'content-length': _, ...plain } = headers;
  return {
    status: told?.status ?? status,
    headers: told ? plain : headers,
    cookies,
    body: inOnePiece(told ? Buffer.from(told.body, 'latin1') : bytes),
  };
};

export const createConnections = (options: HttpConnectionsOptions): HttpConnections => {
  const connections = real.createConnections(options);
  return {
    request: (call, use) =>
      connections.request(call, async (answer) =>
        use(await changeAnswer(answer, call.url.pathname, String(call.body ?? ''))),
      ),
    close: connections.close,
  };
};

export const whileLying = async <Result>(told: Lie, task: () => Promise<Result>): Promise<Result> => {
  lie = told;
  try {
    return await task();
  } finally {
    lie = () => undefined;
  }
};
