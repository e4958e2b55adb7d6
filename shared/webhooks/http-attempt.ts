/**
 * Makes one attempt at a webhook, with its own connection, no redirects, no proxy, and limits on time and bytes. Only
 * the status line of the receiver's answer counts, and the body is discarded. No part of the answer gets into an error
 * text, because everyone who may read deliveries sees that text (architecture.md §9, B25: body read back through the
 * log).
 */
import type { LookupFunction } from 'node:net';
import type { ConnectOptions } from '#shared/transport/connect.ts';
import { createConnections, type IncomingAnswer } from '#shared/transport/connections.ts';
import {
  type AnswerFault,
  AnswerUnreadable,
  ConnectFailed,
  ConnectTimedOut,
  DestinationBlocked,
  readErrorCode,
} from '#shared/transport/faults.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { Failure } from './attempts.rules.ts';
import type { AttemptResult } from './delivery.rules.ts';
import { CLIENT_HEADERS } from './request-headers.ts';
import { type DestinationPolicy, guardDestination, judgeUrl, NOT_ALLOWED } from './safe-destination.ts';

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
}

export interface AttemptOptions {
  policy: DestinationPolicy;
  connectMs?: number;
  attemptMs?: number;
  lookup?: LookupFunction;
  isAllowed?: ConnectOptions['isAllowed'];
}

const failed = (kind: Failure, error: string, status: number | null = null): AttemptResult => ({
  ok: false,
  failure: kind,
  status,
  error,
});

const seconds = (ms: number): string => `${ms / 1000} s`;

/** Makes the attempt. Never throws: every failure is a result. */
export const attemptWebhook = async (request: WebhookRequest, options: AttemptOptions): Promise<AttemptResult> => {
  const { url } = judgeUrl(request.url, options.policy);
  // A test may pass its own address check together with a URL that our check refuses.
  const target = url ?? (options.isAllowed ? new URL(request.url) : undefined);
  if (target === undefined) return failed('blocked', NOT_ALLOWED);
  const { connectMs = WEBHOOK_LIMITS.webhookConnectMs, attemptMs = WEBHOOK_LIMITS.webhookAttemptMs } = options;
  const connections = createConnections({ ...guardDestination(options), timeoutMs: connectMs, isKept: false });
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), attemptMs);
  const headers = { ...CLIENT_HEADERS, ...request.headers };
  const call = { url: target, method: 'POST', headers, body: request.body, signal: giveUp.signal } as const;
  try {
    return await connections.request(call, async ({ status, body }) => {
      await drain(body);
      return judgeStatus(status);
    });
  } catch (error) {
    return judgeError(error, { connectMs, attemptMs, isTimeUp: giveUp.signal.aborted });
  } finally {
    clearTimeout(timer);
    connections.close();
  }
};

/**
 * Reads a little of the body, so that the connection of a receiver that is still writing is not reset. Errors during
 * this read do not change the result.
 */
const drain = async (body: IncomingAnswer['body']): Promise<void> => {
  let bytes = 0;
  try {
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes >= WEBHOOK_LIMITS.webhookAnswerBytesMax) break;
    }
  } catch {
    // The body was cut off, took too long or was malformed. The status is already known.
  }
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const judgeStatus = (status: number): AttemptResult => {
  if (status >= 200 && status < 300) return { ok: true, status };
  const hint = REDIRECTS.has(status) ? ' (redirects are not followed)' : '';
  return failed('http', `answered ${status}${hint}`, status);
};

interface Times {
  connectMs: number;
  attemptMs: number;
  isTimeUp: boolean;
}

const CONNECT_TEXTS = { dns: 'the name does not resolve', connect: 'no connection', tls: 'TLS failed' } as const;

/** What an alert of the receiver means. */
const ALERT_TEXTS: readonly [RegExp, string][] = [
  [/_ALERT_NO_APPLICATION_PROTOCOL$/, 'the receiver does not accept HTTP/1.1'],
  [/_ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE)$/, 'the receiver demands a client certificate'],
  // Receivers of TLS 1.2 send this alert if they demand a certificate, and if they accept none of our ciphers.
  [/_ALERT_HANDSHAKE_FAILURE$/, 'the receiver refused the handshake and may demand a client certificate'],
];

/** Faults of a head. Those of a body do not change the result. */
const ANSWER_TEXTS: Partial<Record<AnswerFault, string>> = {
  ANSWER_MISSING: 'the connection was closed before an answer',
  ANSWER_CUT: 'the connection was closed within the answer',
  ANSWER_NOT_HTTP: 'the answer is not HTTP',
  ANSWER_HEAD_TOO_LARGE: 'the headers of the answer are too large',
  ANSWER_LENGTH_INVALID: 'the content-length of the answer is invalid',
  ANSWER_SWITCHES: 'the answer changes to another protocol',
};

const judgeAnswer = ({ code, status }: AnswerUnreadable): AttemptResult => {
  // The status line counts, also if the connection ended before the last header.
  if (code === 'ANSWER_CUT' && status !== null) return judgeStatus(status);
  const kind = code === 'ANSWER_MISSING' || code === 'ANSWER_CUT' ? 'connect' : 'http';
  return failed(kind, `${ANSWER_TEXTS[code] ?? 'the answer cannot be read'} (${code})`, status);
};

const describeTls = (code: string): string => ALERT_TEXTS.find(([alert]) => alert.test(code))?.[1] ?? CONNECT_TEXTS.tls;

const judgeError = (error: unknown, { connectMs, attemptMs, isTimeUp }: Times): AttemptResult => {
  if (isTimeUp) return failed('timeout', `no answer within ${seconds(attemptMs)}`);
  if (error instanceof ConnectTimedOut) return failed('timeout', `no connection within ${seconds(connectMs)}`);
  if (error instanceof DestinationBlocked) return failed('blocked', NOT_ALLOWED);
  if (error instanceof AnswerUnreadable) return judgeAnswer(error);
  const code = readErrorCode(error);
  if (error instanceof ConnectFailed && error.step !== 'tls')
    return failed(error.step, `${CONNECT_TEXTS[error.step]} (${code})`);
  // With TLS 1.3 the receiver refuses the client after the handshake.
  if (error instanceof ConnectFailed || code.startsWith('ERR_SSL_'))
    return failed('tls', `${describeTls(code)} (${code})`);
  return failed('connect', `the connection was closed before an answer (${code})`);
};
