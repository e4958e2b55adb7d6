/**
 * The wire between adapter and sandbox: it remembers every good answer by its request and returns it instead of asking
 * again; single answers can be replaced with changed ones. The test file replaces shared/transport/connections.ts with
 * this one.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';
import type {
  HttpConnections,
  HttpConnectionsOptions,
  IncomingAnswer,
  OutgoingRequest,
} from '#shared/transport/connections.ts';

export interface WireAnswer {
  /** The kind of request that it answers: `POST facadeService/getResumen`. */
  kind: string;
  /** Identifies the request. */
  key: string;
  status: number;
  headers: Record<string, string>;
  cookies: string[];
  /** Decompressed. */
  body: Uint8Array;
}

type Sent = Pick<OutgoingRequest, 'method' | 'headers' | 'body'>;

const real = await vi.importActual<typeof import('#shared/transport/connections.ts')>(
  '#shared/transport/connections.ts',
);

/** Good answers by request, stored for the whole scope. */
const remembered = new Map<string, WireAnswer>();
/** Answers that replace good ones. */
let changed: ReadonlyMap<string, WireAnswer> = new Map();
let seen: WireAnswer[] = [];

/** Requests that are repeated until a job is ready: their answers are identified by their number in the reading. */
const POLLED = /getCtrlAsync/;
/** How often each polled request was sent in the current reading. */
const turns = new Map<string, number>();

/** The body without values that are new every time. */
const steady = (body: string): string => body.replace(/"transactionId":"[^"]*"/, '');

const keyOf = (url: URL, { method, body }: Sent): string => {
  const key = hashOf(`${method} ${url.pathname}${url.search}\n${steady(String(body ?? ''))}`);
  if (!POLLED.test(url.pathname)) return key;
  const turn = turns.get(key) ?? 0;
  turns.set(key, turn + 1);
  return `${key} ${turn}`;
};

/** The last two words of the path, because numbers in it name an account or a file. */
const kindOf = (url: URL, { method, body }: Sent): string => {
  const words = url.pathname
    .split('/')
    .filter((word) => word !== '')
    .map((word) => (/\d{4}|~/.test(word) ? '*' : word));
  const file = /obtenerArchivoBLOB/.exec(url.pathname)?.[0];
  if (file !== undefined) return `${method} ${file}`;
  const postback = /__EVENTTARGET=[^&]+&/.test(String(body ?? '')) ? ' page' : '';
  return `${method} ${words.slice(-2).join('/')}${postback}`;
};

/** A file may also be compressed by itself. */
const unpacked = (body: Buffer): Uint8Array => (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body);

const hashOf = (request: string): string => createHash('sha256').update(request).digest('base64url');

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

const given = ({ status, headers, cookies, body }: WireAnswer, { headers: asked }: Sent): IncomingAnswer => {
  const { 'content-encoding': _, 'content-length': __, ...plain } = headers;
  const echo = plain['x-request-id'] === undefined ? {} : { 'x-request-id': asked['x-request-id'] ?? '' };
  return { status, headers: { ...plain, ...echo }, cookies, body: inOnePiece(body) };
};

const asked = (connections: HttpConnections, call: OutgoingRequest, key: string): Promise<WireAnswer> =>
  connections.request(call, async ({ status, headers, cookies, body }) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of body) chunks.push(chunk);
    return { kind: kindOf(call.url, call), key, status, headers, cookies, body: unpacked(Buffer.concat(chunks)) };
  });

export const createConnections = (options: HttpConnectionsOptions): HttpConnections => {
  const connections = real.createConnections(options);
  return {
    request: async (call, use) => {
      const key = keyOf(call.url, call);
      const answer =
        changed.get(key) ?? (isAnew ? undefined : remembered.get(key)) ?? (await asked(connections, call, key));
      if (isRecording) {
        remembered.set(key, answer);
        seen.push(answer);
      }
      return use(given(answer, call));
    },
    close: connections.close,
  };
};

let isRecording = false;
/** If true, no remembered answer is used: session tokens in old answers are refused by now. */
let isAnew = false;

/** Remembers the answers that the work receives now. */
export const recordedAnew = async (work: () => Promise<unknown>): Promise<void> => {
  isAnew = true;
  try {
    await recorded(work);
  } finally {
    isAnew = false;
  }
};

/** Returns the answers that the work needed, each once. */
export const recorded = async (work: () => Promise<unknown>): Promise<WireAnswer[]> => {
  isRecording = true;
  seen = [];
  turns.clear();
  try {
    await work();
  } finally {
    isRecording = false;
  }
  return [...new Map(seen.map((answer) => [answer.key, answer])).values()];
};

export const withLie = async <Result>(
  lies: ReadonlyMap<string, WireAnswer>,
  work: () => Promise<Result>,
): Promise<Result> => {
  changed = lies;
  turns.clear();
  try {
    return await work();
  } finally {
    changed = new Map();
  }
};

export const forgetAnswers = (): void => remembered.clear();
