/**
 * Builds a Lambda handler from contract and logic. The handler contains everything that endpoints share, in the order
 * of decisions.md §1: 401, 403, 429 of a read, path, query, body, then existence. middy runs `after` and `onError` in
 * reverse order. So the headers middleware, registered first, completes every answer, and the error handler sees the
 * errors of everything registered after it.
 */
import middy, { type MiddlewareObj } from '@middy/core';
import type { Context } from 'aws-lambda';
import type * as z from 'zod';
import type { Cause, RequestSource } from '#shared/audit/audit.rules.ts';
import type { Caller } from '#shared/auth/caller.ts';
import { countRead, readQuota } from '#shared/http/fair-use/limit-reads.ts';
import { authenticate } from '#shared/http/request/auth.ts';
import { readBody, validBody } from '#shared/http/request/body.ts';
import { causeBy, readSource } from '#shared/http/request/cause.ts';
import { hardParams, refuseImpossibleIds } from '#shared/http/request/path.ts';
import { parseQuery } from '#shared/http/request/query.ts';
import { checkAnswer } from '#shared/http/response/answer-check.ts';
import { answerHeaders, securityHeaders } from '#shared/http/response/answer-headers.ts';
import { errorHandler, toResult } from '#shared/http/response/error-answer.ts';
import { notModified } from '#shared/http/response/not-modified.ts';
import { packedAnswer } from '#shared/http/response/packed-answer.ts';
import { addLogFields, withLogFields } from '#shared/platform/log-context.ts';
import { waitBriefly } from '#shared/platform/patience.ts';
import { type EndpointContract, isRead } from './contract.ts';
import { idempotently, readIdempotencyKey } from './idempotency.ts';
import {
  type Answer,
  type HttpEvent,
  type HttpResult,
  type RequestContext,
  readCookies,
  readHeader,
} from './request-context.ts';

export type { Caller } from '#shared/auth/caller.ts';
export type { Answer, HttpEvent, HttpResult } from './request-context.ts';

type ParsedInput<S> = S extends z.ZodType ? z.infer<S> : null;

export interface Input<C extends EndpointContract> {
  /** Null only for public endpoints. */
  caller: C['auth'] extends 'public' ? null : Caller;
  /** The caller and the request, for the audit trail. Null only for public endpoints. */
  cause: C['auth'] extends 'public' ? null : Cause;
  source: RequestSource;
  /** Cookies as sent. Only endpoints that open and close sessions read them. */
  cookies: readonly string[];
  /** Path parameters, with UUIDs in lower case. */
  params: Record<keyof C['params'] & string, string>;
  query: ParsedInput<C['query']>;
  /** An absent body is validated as `{}`. */
  body: ParsedInput<C['body']>;
  requestId: string;
  idempotencyKey: string | null;
  /** Returns a UUIDv7 for a new resource. A repeated request with the same Idempotency-Key gets the same ids. */
  newId(): string;
  /** Method and path as called. Needed only by the route that takes all unmatched requests. */
  route: { method: string; path: string };
}

export type Logic<C extends EndpointContract> = (input: Input<C>) => Promise<Answer>;
export type HttpHandler = (event: HttpEvent, context: Context) => Promise<HttpResult>;

const readRequest = (contract: EndpointContract): MiddlewareObj<HttpEvent, HttpResult> => ({
  before: async ({ event, context: lambdaContext }) => {
    const { context } = event;
    addLogFields({ request_id: context.requestId });
    context.caller = await authenticate(contract, event);
    if (context.caller && isRead(contract)) context.finishRead = countRead(context.caller);
    context.params = hardParams(contract, event.pathParameters ?? {});
    addLogFields({
      organization_id: context.caller?.organizationId,
      connection_id: contract.path.startsWith('/connections/') ? context.params.id : undefined,
      run_id: context.params.runId,
    });
    context.query = parseQuery(contract, event.rawQueryString ?? '');
    context.idempotencyKey = readIdempotencyKey(contract, readHeader(event, 'idempotency-key'));
    await readBody(contract, event, lambdaContext);
  },
});

const routeOf = (event: HttpEvent): { method: string; path: string } => ({
  method: event.requestContext?.http?.method ?? '',
  path: event.rawPath ?? '',
});

export const endpoint = <const C extends EndpointContract>(contract: C, logic: Logic<C>): HttpHandler => {
  const answerTo = async (event: HttpEvent, context: RequestContext, newId: () => string): Promise<Answer> => {
    const body = validBody(contract, context);
    refuseImpossibleIds(contract, context.params);
    const { caller, params, query, requestId, idempotencyKey } = context;
    const source = readSource(event);
    const cause = caller && causeBy(caller, source);
    const request = { cause, source, cookies: readCookies(event), route: routeOf(event) };
    const input = { caller, params, query, body, requestId, idempotencyKey, newId, ...request };
    // The middlewares have validated the input against the contract, so it has the contract's types.
    const answer = await logic(input as unknown as Input<C>);
    checkAnswer(contract, answer, requestId);
    return answer;
  };
  const handle = async (event: HttpEvent): Promise<HttpResult> => {
    const { context } = event;
    return toResult(await idempotently(contract, context, (newId) => answerTo(event, context, newId)));
  };
  const stack = middy<HttpEvent, HttpResult>()
    .use(packedAnswer(contract))
    .use(securityHeaders(contract))
    .use(answerHeaders(contract))
    .use(readQuota())
    .use(notModified())
    .use(errorHandler(contract))
    .use(readRequest(contract))
    .handler(handle) as unknown as HttpHandler;
  return (event, context) => withLogFields({ operation: contract.id }, () => waitBriefly(() => stack(event, context)));
};
