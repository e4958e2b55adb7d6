/**
 * Fetches what a client publishes: the document about itself, and its keys. The address comes from a stranger, so it
 * is checked like a webhook's address: the URL, the resolved address and the peer (safe-destination.ts). Redirects are not
 * followed; time and bytes are limited.
 */
import type { LookupFunction } from 'node:net';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import type { ConnectOptions } from '#shared/transport/connect.ts';
import { createConnections, type IncomingAnswer } from '#shared/transport/connections.ts';
import { AnswerUnreadable, ConnectTimedOut, DestinationBlocked } from '#shared/transport/faults.ts';
import { AppError } from '#shared/values/app-error.ts';
import { guardDestination, judgeUrl } from '#shared/webhooks/safe-destination.ts';

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

const textOf = async (body: IncomingAnswer['body'], bytesMax: number): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new DocumentUnavailable('too_large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const HEADERS = { accept: 'application/json', 'accept-encoding': 'identity' };

const fetchFrom = async (url: URL, options: FetchOptions, signal: AbortSignal): Promise<FetchedDocument> => {
  const { timeoutMs = AGENT_LIMITS.clientDocumentMs, bytesMax = AGENT_LIMITS.clientDocumentBytesMax } = options;
  const connections = createConnections({ ...guardDestination(options), timeoutMs, isKept: false });
  return connections.request({ url, method: 'GET', headers: HEADERS, signal }, async ({ status, headers, body }) => {
    if (status !== 200 || !JSON_TYPE.test(headers['content-type'] ?? '')) throw new DocumentUnavailable('no_document');
    return { text: await textOf(body, bytesMax), cacheControl: headers['cache-control'] ?? '' };
  });
};

const faultOf = (error: unknown, isTimeUp: boolean): DocumentUnavailable => {
  if (error instanceof DocumentUnavailable) return error;
  if (isTimeUp || error instanceof ConnectTimedOut) return new DocumentUnavailable('too_slow');
  if (error instanceof AnswerUnreadable && error.status !== null) return new DocumentUnavailable('no_document');
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
