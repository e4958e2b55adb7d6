/**
 * Contract + logic → Lambda handler for an endpoint of a standard (`protocol-contract.ts`). Request ids, security headers,
 * packing and log lines are those of `endpoint()`; what comes in, goes out and fails is the standard's.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import { answerHeaders, securityHeaders } from '#shared/http/response/answer-headers.ts';
import { packedAnswer } from '#shared/http/response/packed-answer.ts';
import { addLogFields, withLogFields } from '#shared/platform/log-context.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ProtocolContract } from './protocol-contract.ts';
import type { HttpEvent, HttpResult } from './request-context.ts';

export interface ProtocolRequest {
  requestId: string;
  method: string;
  /** Decoded. */
  path: string;
  /** As sent, without the question mark. */
  rawQuery: string;
  /** Names in lower case. Cookies are not among them. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Decoded from what the gateway made of it; empty where there is none. */
  body: Uint8Array;
}

export interface ProtocolAnswer {
  status: number;
  /** Names in lower case. `cache-control` is `no-store` unless it is named here. */
  headers?: Readonly<Record<string, string>>;
  /** A text goes as it is, in the content type that `headers` names; anything else as JSON; undefined: no body. */
  body?: unknown;
}

export type ProtocolLogic = (request: ProtocolRequest) => Promise<ProtocolAnswer>;

/** Thrown by the logic, however deep: the request ends with this answer. */
export class ProtocolError extends AppError {
  readonly answer: ProtocolAnswer;
  constructor(message: string, answer: ProtocolAnswer) {
    super(message);
    this.answer = answer;
  }
}

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

const toResult = ({ status, headers = {}, body }: ProtocolAnswer): HttpResult => {
  const answer = { statusCode: status, headers: { 'cache-control': 'no-store', ...headers } };
  if (body === undefined) return answer;
  if (typeof body === 'string') return { ...answer, body };
  return { ...answer, headers: { ...JSON_TYPE, ...answer.headers }, body: JSON.stringify(body) };
};

const bodyOf = ({ body = '', isBase64Encoded }: HttpEvent): Buffer =>
  Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');

const withoutCookies = (headers: HttpEvent['headers']): ProtocolRequest['headers'] => {
  const { cookie: _cookie, ...others } = headers ?? {};
  return others;
};

const requestOf = (event: HttpEvent, contract: ProtocolContract): ProtocolRequest => {
  const body = bodyOf(event);
  if (body.length > contract.bodyBytesMax)
    throw new ProtocolError('the body is too large', { status: 413, body: contract.failures.tooLarge });
  return {
    requestId: event.context.requestId,
    method: event.requestContext?.http?.method ?? '',
    path: event.rawPath ?? '',
    rawQuery: event.rawQueryString ?? '',
    headers: withoutCookies(event.headers),
    body,
  };
};

/** Any other error than a `ProtocolError` is ours to mend: the caller gets a fixed body, the log name and place. */
const failureHandler = ({ failures }: ProtocolContract): MiddlewareObj<HttpEvent, HttpResult> => ({
  onError: (request) => {
    const { error } = request;
    if (error instanceof ProtocolError) {
      request.response = toResult(error.answer);
      return;
    }
    log.error('a request failed', describeError(error));
    request.response = toResult({ status: 500, body: failures.internal });
  },
});

export type ProtocolHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

export const protocolEndpoint = (contract: ProtocolContract, logic: ProtocolLogic): ProtocolHandler => {
  const handle = async (event: HttpEvent): Promise<HttpResult> => {
    addLogFields({ request_id: event.context.requestId });
    return toResult(await logic(requestOf(event, contract)));
  };
  const stack = middy<HttpEvent, HttpResult>()
    .use(packedAnswer({ secretResponse: contract.showsSecrets ? 'gave a token' : null }))
    .use(securityHeaders({ contentSecurityPolicy: null }))
    .use(answerHeaders({ auth: 'public' }))
    .use(failureHandler(contract))
    .handler(handle) as unknown as ProtocolHandler;
  return (event, context) => withLogFields({ operation: contract.id }, () => stack(event, context));
};
