/** Makes one call of the API with its headers, pauses and token. Returns the answer unchanged (banks.md §3.2). */
import { v4 } from 'uuid';
import type { HttpResponse } from '../http/client.ts';
import { checkedAnswer, unexpected } from '../parsing/results.ts';
import { type JsonObject, type PullContext, type RawAnswer, SessionExpired } from '../source.ts';
import { readObject } from './body.ts';
import type { ClientCredentials } from './credentials.ts';
import { ANSWER_BYTES_MAX, PAUSE_MS_MAX } from './limits.ts';
import { requestToken } from './login.ts';
import { requireData } from './refusals.ts';
import type { OpenSession } from './session.ts';
import { clientCode } from './wire.ts';

export interface ApiCall {
  /** Name of the call in messages. The name never contains an account number. */
  what: string;
  url: string;
  /** Body of a POST; absent for a GET. */
  body?: JsonObject;
  /** Fields of the request that the parser needs; they are stored with the answer. */
  kept: JsonObject;
}

export interface ApiClient extends Pick<PullContext, 'progress'> {
  /**
   * Stores the answer under the name of the call after `check` has accepted it. An unreadable answer is attached to the
   * error.
   */
  ask(call: ApiCall, check: (body: JsonObject) => unknown): Promise<RawAnswer>;
  /** Milliseconds since the epoch. */
  now(): number;
}

export const createApiClient = (
  open: OpenSession,
  credentials: ClientCredentials,
  { ask, io, progress }: PullContext,
): ApiClient => {
  /**
   * Returns a token that is still valid. The bank asks clients to renew a token at 80 % of `expires_in`; a renewal does
   * not end the session.
   */
  const validToken = async (): Promise<string> => {
    if (open.token === undefined) throw new SessionExpired('the session has no token');
    const { renewAtMs } = open.token;
    if (renewAtMs !== null && io.now() >= renewAtMs) open.token = await requestToken(credentials, open, io, true);
    return open.token.accessToken;
  };

  const send = async ({ what, url, body }: ApiCall, requestId: string): Promise<HttpResponse> => {
    const pauseMs = Math.min(open.pausedUntilMs - io.now(), PAUSE_MS_MAX);
    if (pauseMs > 0) await io.wait(pauseMs);
    const answer = await open.http.call({
      what,
      url,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${await validToken()}`,
        'x-client-id': credentials.clientId,
        'x-client-code': clientCode(credentials.companyRut),
        'x-request-id': requestId,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      bodyBytesMax: ANSWER_BYTES_MAX,
      anyStatus: true,
    });
    open.pausedUntilMs = io.now() + askedPauseMs(answer.headers, io.now());
    open.save();
    return answer;
  };

  return {
    ask: (call, check) =>
      ask(call.what, async () => {
        const requestId = v4();
        const answer = await send(call, requestId);
        return checkedAnswer(call.kept, answer, () => {
          requireData(call.what, answer, io.now());
          checkEcho(call.what, answer, requestId);
          check(readObject(answer.body, call.what));
        });
      }),
    now: io.now,
    progress,
  };
};

/**
 * Returns the pause that the bank's headers ask for. Several sessions share the requests of one minute, so the bank's
 * count is more reliable than ours.
 */
export const askedPauseMs = (headers: HttpResponse['headers'], nowMs: number): number => {
  const { 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = headers;
  if (!/^\s*0+\s*$/.test(remaining ?? '') || !/^\s*\d{1,11}\s*$/.test(reset ?? '')) return 0;
  const seconds = Number(reset);
  // The wire document does not say whether the header counts seconds from now or seconds since 1970.
  const pauseMs = seconds > 1_000_000_000 ? seconds * 1000 - nowMs : seconds * 1000;
  return Math.min(Math.max(pauseMs, 0), PAUSE_MS_MAX);
};

/** Throws when the answer belongs to another request than ours. */
const checkEcho = (what: string, { headers }: HttpResponse, requestId: string): void => {
  const echoed = headers['x-request-id'];
  if (echoed !== undefined && echoed.trim().toLowerCase() !== requestId)
    throw unexpected(what, 'the answer belongs to another request');
};
