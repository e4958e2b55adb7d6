/**
 * Builds a Lambda handler from contract and logic for an endpoint of a public standard (`protocol-contract.ts`).
 * Request ids, security headers, compression and log lines are the same as in `endpoint()`; requests, answers and
 * errors follow the standard.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type { RequestSource } from '#shared/audit/audit.rules.ts';
import { readSource } from '#shared/http/request/cause.ts';
import { answerHeaders, securityHeaders } from '#shared/http/response/answer-headers.ts';
import { packedAnswer } from '#shared/http/response/packed-answer.ts';
import { addLogFields, withLogFields } from '#shared/platform/log-context.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { ServiceBusy, waitBriefly } from '#shared/platform/patience.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { ProtocolContract } from './protocol-contract.ts';
import type { HttpEvent, HttpResult } from './request-context.ts';

export interface ProtocolRequest {
  requestId: string;
  source: RequestSource;
  method: string;
  /** The decoded path. */
  path: string;
  /** Query as sent, without the question mark. */
  rawQuery: string;
  /** Headers with names in lower case, without cookies. */
  headers: Readonly<Record<string, string | undefined>>;
  /** The decoded body; empty if absent. */
  body: Uint8Array;
}

export interface ProtocolAnswer {
  status: number;
  /** Headers with names in lower case. `cache-control` is `no-store` unless set here. */
  headers?: Readonly<Record<string, string>>;
  /**
   * Body of the answer. A text is sent unchanged in the content type that `headers` names, any other value as JSON.
   * Undefined for no body.
   */
  body?: unknown;
}

export type ProtocolLogic = (request: ProtocolRequest) => Promise<ProtocolAnswer>;

/** May be thrown anywhere in the logic. The request then ends with this answer. */
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
    source: readSource(event),
    method: event.requestContext?.http?.method ?? '',
    path: event.rawPath ?? '',
    rawQuery: event.rawQueryString ?? '',
    headers: withoutCookies(event.headers),
    body,
  };
};

/**
 * Every error other than a `ProtocolError` is our fault: the caller gets a fixed body, with 503 if AWS is too busy, and
 * the log gets the name and location of the error.
 */
const failureHandler = ({ failures }: ProtocolContract): MiddlewareObj<HttpEvent, HttpResult> => ({
  onError: (request) => {
    const { error } = request;
    if (error instanceof ProtocolError) {
      request.response = toResult(error.answer);
      return;
    }
    if (error instanceof ServiceBusy) {
      log.warn('a request met a busy service of AWS', describeError(error));
      request.response = toResult({ status: 503, headers: { 'retry-after': '2' }, body: failures.internal });
      return;
    }
    log.error('a request failed', describeError(error));
    request.response = toResult({ status: 500, body: failures.internal });
  },
});

/** A page may send any header but gets no cookie along; `*` does not cover `authorization`. */
const PREFLIGHT: ProtocolAnswer = {
  status: 204,
  headers: {
    'access-control-allow-methods': 'GET, POST',
    'access-control-allow-headers': '*',
    'access-control-max-age': '7200',
  },
};

/** Lets pages of any origin read every answer, also an error, without credentials. */
const openToPages = (): MiddlewareObj<HttpEvent, HttpResult> => {
  const open: MiddlewareObj<HttpEvent, HttpResult>['after'] = ({ response }) => {
    if (response) response.headers = { ...response.headers, 'access-control-allow-origin': '*' };
  };
  return { after: open, onError: open };
};

export type ProtocolHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

export const protocolEndpoint = (contract: ProtocolContract, logic: ProtocolLogic): ProtocolHandler => {
  const isForPages = contract.routes.some(({ method }) => method === 'OPTIONS');
  const handle = async (event: HttpEvent): Promise<HttpResult> => {
    addLogFields({ request_id: event.context.requestId });
    if (isForPages && event.requestContext?.http?.method === 'OPTIONS') return toResult(PREFLIGHT);
    return toResult(await logic(requestOf(event, contract)));
  };
  const stack = middy<HttpEvent, HttpResult>()
    .use(packedAnswer({ secretResponse: contract.showsSecrets ? 'gave a token' : null }))
    .use(securityHeaders({ contentSecurityPolicy: null }))
    .use(answerHeaders({ auth: 'public' }))
    .use(isForPages ? openToPages() : [])
    .use(failureHandler(contract))
    .handler(handle) as unknown as ProtocolHandler;
  return (event, context) => withLogFields({ operation: contract.id }, () => waitBriefly(() => stack(event, context)));
};
