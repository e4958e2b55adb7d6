/**
 * Fetches what a client publishes: the document about itself, and its keys. The address comes from a stranger, so it is checked like a
 * webhook's address: the URL, the resolved address and the peer (shared/webhooks/guarded-connect.ts). Redirects are not
 * followed; time and bytes are limited.
 */
import { type IncomingMessage, request } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type ConnectOptions, ConnectTimedOut, connector } from '#shared/webhooks/guarded-connect.ts';
import { DestinationBlocked, judgeUrl } from '#shared/webhooks/safe-destination.ts';

/** Why the document is unavailable. Contains nothing from the server's answer. */
export const DOCUMENT_FAULTS = ['blocked', 'unreachable', 'too_slow', 'too_large', 'no_document'] as const;
export type DocumentFault = (typeof DOCUMENT_FAULTS)[number];

export class DocumentUnavailable extends AppError {
  readonly fault: DocumentFault;
  constructor(fault: DocumentFault) {
    super(`a client's document: ${fault}`);
    this.fault = fault;
  }
}

/** True for a reason of this list, false for what is wrong with a document that was read. */
export const isDocumentFault = (reason: string): boolean => DOCUMENT_FAULTS.some((fault) => fault === reason);

/** True if the same request may succeed later: the client's server did not answer, or answered with an error. */
export const isTemporaryFault = (fault: string): boolean => ['unreachable', 'too_slow', 'no_document'].includes(fault);

export interface FetchOptions {
  isLoopbackAllowed: boolean;
  lookup?: LookupFunction;
  /** Replaces the address check, for tests of https against this machine. */
  isAllowed?: ConnectOptions['isAllowed'];
  timeoutMs?: number;
  /** @default the limit of a client's document */
  bytesMax?: number;
}

export interface FetchedDocument {
  text: string;
  cacheControl: string;
}

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

const targetOf = (url: string, { isLoopbackAllowed, isAllowed }: FetchOptions): URL => {
  const judged = judgeUrl(url, { isLoopbackHttpAllowed: isLoopbackAllowed });
  if (judged.url !== undefined) return judged.url;
  // A test may pass its own address check together with a URL that our check refuses.
  if (isAllowed === undefined) throw new DocumentUnavailable('blocked');
  return new URL(url);
};

/** Opens a new socket, whose peer is checked before the first byte is sent. */
const connect = (target: URL, { lookup, isAllowed }: FetchOptions, timeoutMs: number): Promise<Socket> =>
  new Promise((resolve, reject) => {
    connector(target, { timeoutMs, lookup, isAllowed })({} as never, (error, socket) =>
      socket === null ? reject(error) : resolve(socket),
    );
  });

const answerOf = (target: URL, socket: Duplex, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({
      path: `${target.pathname}${target.search}`,
      // Uses this socket: no agent, and no second name lookup.
      createConnection: () => socket,
      setHost: false,
      headers: { host: target.host, accept: 'application/json', 'accept-encoding': 'identity', connection: 'close' },
      signal,
    })
      .once('response', resolve)
      .on('error', reject)
      // The connection was closed without an error, because the server asked for another protocol.
      .once('close', () => reject(new DocumentUnavailable('no_document')))
      .end();
  });

const textOf = async (answer: IncomingMessage, bytesMax: number): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new DocumentUnavailable('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const fetchFrom = async (target: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchedDocument> => {
  const { timeoutMs = AGENT_LIMITS.clientDocumentMs, bytesMax = AGENT_LIMITS.clientDocumentBytesMax } = options;
  const socket = await connect(target, options, timeoutMs);
  try {
    const answer = await answerOf(target, socket, signal);
    const isDocument = answer.statusCode === 200 && JSON_TYPE.test(answer.headers['content-type'] ?? '');
    if (!isDocument) throw new DocumentUnavailable('no_document');
    return { text: await textOf(answer, bytesMax), cacheControl: answer.headers['cache-control'] ?? '' };
  } finally {
    socket.destroy();
  }
};

const faultOf = (error: unknown, isTimeUp: boolean): DocumentUnavailable => {
  if (error instanceof DocumentUnavailable) return error;
  if (isTimeUp || error instanceof ConnectTimedOut) return new DocumentUnavailable('too_slow');
  return new DocumentUnavailable(error instanceof DestinationBlocked ? 'blocked' : 'unreachable');
};

/** @throws DocumentUnavailable */
export const fetchDocument = async (url: string, options: FetchOptions): Promise<FetchedDocument> => {
  const target = targetOf(url, options);
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), options.timeoutMs ?? AGENT_LIMITS.clientDocumentMs);
  try {
    return await fetchFrom(target, options, giveUp.signal);
  } catch (error) {
    throw faultOf(error, giveUp.signal.aborted);
  } finally {
    clearTimeout(timer);
  }
};
