/**
 * Makes one attempt at a webhook, with its own connection, no redirects, no proxy, and limits on time and bytes. Only
 * the status line of the receiver's answer counts, and the body is discarded. No part of the answer gets into an error
 * text, because everyone who may read deliveries sees that text (architecture.md §9, B25: body read back through the
 * log).
 */
import type { LookupFunction } from 'node:net';
import { Client, type Dispatcher, errors } from 'undici';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import type { AttemptResult, Failure } from './delivery.rules.ts';
import { ConnectFailed, type ConnectOptions, ConnectTimedOut, connector, readErrorCode } from './guarded-connect.ts';
import { DestinationBlocked, type DestinationPolicy, judgeUrl, NOT_ALLOWED } from './safe-destination.ts';

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

const USER_AGENT = 'data-connections-webhooks/1.0';

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
  const { lookup, isAllowed } = options;
  const client = new Client(target.origin, {
    connect: connector(target, { timeoutMs: connectMs, lookup, isAllowed }),
    // undici's own timers are off, because they are coarse and restart with every byte. `timer` below limits the whole
    // attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  });
  const giveUp = new AbortController();
  const timer = setTimeout(() => giveUp.abort(), attemptMs);
  try {
    const answer = await client.request({
      method: 'POST',
      path: `${target.pathname}${target.search}`,
      headers: { 'user-agent': USER_AGENT, ...request.headers },
      body: request.body,
      // Sends `connection: close` and makes no second request on this connection.
      reset: true,
      signal: giveUp.signal,
    });
    await drain(answer.body);
    return judgeStatus(answer.statusCode);
  } catch (error) {
    return judgeError(error, { connectMs, attemptMs, isTimeUp: giveUp.signal.aborted });
  } finally {
    clearTimeout(timer);
    await client.destroy().catch(() => undefined);
  }
};

/**
 * Reads a little of the body, so that the connection of a receiver that is still writing is not reset. Errors during
 * this read do not change the result.
 */
const drain = async (body: Dispatcher.ResponseData['body']): Promise<void> => {
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes >= WEBHOOK_LIMITS.webhookAnswerBytesMax) break;
    }
  } catch {
    // The body was cut off or took too long. The status is already known.
  }
  body.destroy();
};

const judgeStatus = (status: number): AttemptResult => {
  if (status >= 200 && status < 300) return { ok: true, status };
  const hint = status >= 300 && status < 400 ? ' (redirects are not followed)' : '';
  return failed('http', `answered ${status}${hint}`, status);
};

interface Times {
  connectMs: number;
  attemptMs: number;
  isTimeUp: boolean;
}

const CONNECT_TEXTS = { dns: 'the name does not resolve', connect: 'no connection', tls: 'TLS failed' } as const;

const judgeError = (error: unknown, { connectMs, attemptMs, isTimeUp }: Times): AttemptResult => {
  if (isTimeUp) return failed('timeout', `no answer within ${seconds(attemptMs)}`);
  if (error instanceof ConnectTimedOut) return failed('timeout', `no connection within ${seconds(connectMs)}`);
  if (error instanceof DestinationBlocked) return failed('blocked', NOT_ALLOWED);
  if (error instanceof ConnectFailed) return failed(error.step, `${CONNECT_TEXTS[error.step]} (${error.code})`);
  if (error instanceof errors.HTTPParserError || error instanceof errors.HeadersOverflowError)
    return failed('http', `the answer is not HTTP (${readErrorCode(error)})`);
  return failed('connect', `the connection was closed before an answer (${readErrorCode(error)})`);
};
