/** Data that the middlewares collect about a request, and the types of requests and answers. */

import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '#shared/auth/caller.ts';

/** Waits for the addition that a read started (`fair-use`), and returns the headers of its answer. */
export type FinishRead = () => Promise<Record<string, string>>;

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export interface RequestContext {
  requestId: string;
  caller: Caller | null;
  params: Record<string, string>;
  query: Record<string, unknown> | null;
  idempotencyKey: string | null;
  /** Null unless the request counts as a read. */
  finishRead: FinishRead | null;
  /** The decoded body as sent; empty if absent. */
  text: string;
  /** The parsed body; undefined if absent. */
  json: unknown;
}

export const emptyContext = (requestId: string): RequestContext => ({
  requestId,
  caller: null,
  params: {},
  query: null,
  idempotencyKey: null,
  finishRead: null,
  text: '',
  json: undefined,
});

/** Middlewares pass their results on in the event, like middy's own body parser. */
export type HttpEvent = APIGatewayProxyEventV2 & { context: RequestContext };
export type HttpResult = APIGatewayProxyStructuredResultV2;

/**
 * Returns the cookies as sent. API Gateway moves cookies out of the headers; its local substitute (ministack 1.5) leaves
 * them there.
 */
export const readCookies = (event: Pick<APIGatewayProxyEventV2, 'headers' | 'cookies'>): readonly string[] =>
  event.cookies ?? [readHeader(event, 'cookie') ?? ''];

/** API Gateway sends header names in lower case. */
export const readHeader = (event: Pick<APIGatewayProxyEventV2, 'headers'>, name: string): string | undefined =>
  event.headers?.[name];
