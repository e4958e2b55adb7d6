/**
 * The wire between adapter and sandbox: it remembers every good answer by its request and returns it instead of asking
 * again; single answers can be replaced with changed ones. The test file puts `heldRequest` in front of undici's
 * `request`.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { vi } from 'vitest';

export interface WireAnswer {
  /** The kind of request that it answers: `POST facadeService/getResumen`. */
  kind: string;
  /** Identifies the request. */
  key: string;
  status: number;
  headers: Record<string, string | string[]>;
  /** Decompressed. */
  body: Uint8Array;
}

interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string | null;
}

const { request: real } = await vi.importActual<typeof import('undici')>('undici');

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

const keyOf = (url: URL, { method = 'GET', body }: Sent): string => {
  const key = hashOf(`${method} ${url.pathname}${url.search}\n${steady(body ?? '')}`);
  if (!POLLED.test(url.pathname)) return key;
  const turn = turns.get(key) ?? 0;
  turns.set(key, turn + 1);
  return `${key} ${turn}`;
};

/** The last two words of the path, because numbers in it name an account or a file. */
const kindOf = (url: URL, { method = 'GET', body }: Sent): string => {
  const words = url.pathname
    .split('/')
    .filter((word) => word !== '')
    .map((word) => (/\d{4}|~/.test(word) ? '*' : word));
  const file = /obtenerArchivoBLOB/.exec(url.pathname)?.[0];
  if (file !== undefined) return `${method} ${file}`;
  const postback = /__EVENTTARGET=[^&]+&/.test(body ?? '') ? ' page' : '';
  return `${method} ${words.slice(-2).join('/')}${postback}`;
};

/** A file may also be compressed by itself. */
const unpacked = (body: Buffer): Uint8Array => (body[0] === 0x1f && body[1] === 0x8b ? gunzipSync(body) : body);

const hashOf = (request: string): string => createHash('sha256').update(request).digest('base64url');

async function* inOnePiece(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}

const given = ({ status, headers, body }: WireAnswer, { headers: asked = {} }: Sent) => {
  const { 'content-encoding': _, 'content-length': __, ...plain } = headers;
  const echo = plain['x-request-id'] === undefined ? {} : { 'x-request-id': asked['x-request-id'] };
  return { statusCode: status, headers: { ...plain, ...echo }, body: inOnePiece(body) };
};

const asked = async (url: URL, sent: Sent, key: string): Promise<WireAnswer> => {
  const answer = await real(url, sent as Parameters<typeof real>[1]);
  const body = unpacked(Buffer.from(await answer.body.arrayBuffer()));
  return {
    kind: kindOf(url, sent),
    key,
    status: answer.statusCode,
    headers: answer.headers as WireAnswer['headers'],
    body,
  };
};

export const heldRequest = async (address: URL | string, sent: Sent = {}): Promise<unknown> => {
  const url = new URL(address);
  const key = keyOf(url, sent);
  const answer = changed.get(key) ?? (isAnew ? undefined : remembered.get(key)) ?? (await asked(url, sent, key));
  if (isRecording) {
    remembered.set(key, answer);
    seen.push(answer);
  }
  return given(answer, sent);
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
