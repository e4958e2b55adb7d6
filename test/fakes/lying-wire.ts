/**
 * The wire between adapter and sandbox: a test changes answers as an institution with wrong data would. Its file
 * replaces undici's `request` with `lyingRequest`.
 */
import { vi } from 'vitest';

export interface Told {
  status: number;
  /** ISO-8859-1, so that no byte changes. */
  body: string;
}

/** Returns undefined to leave the answer unchanged. */
export type Lie = (path: string, asked: string, answer: Told) => Told | undefined;

interface Sent {
  body?: string | null;
}

const { request: real } = await vi.importActual<typeof import('undici')>('undici');

let lie: Lie = () => undefined;

async function* inOnePiece(body: Buffer): AsyncGenerator<Uint8Array> {
  yield body;
}

export const lyingRequest = async (address: URL | string, sent: Sent = {}): Promise<unknown> => {
  const { statusCode, headers, body } = await real(address, sent as Parameters<typeof real>[1]);
  const bytes = Buffer.from(await body.arrayBuffer());
  const { pathname } = new URL(address);
  const told = lie(pathname, sent.body ?? '', { status: statusCode, body: bytes.toString('latin1') });
  const { 'content-length': _, ...plain } = headers;
  return {
    statusCode: told?.status ?? statusCode,
    headers: told ? plain : headers,
    body: inOnePiece(told ? Buffer.from(told.body, 'latin1') : bytes),
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
