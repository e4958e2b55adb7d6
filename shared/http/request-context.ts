/** What is learned about a request on its way through the stack, and what goes back. */

import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Caller } from '#shared/auth/caller.ts';

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
  /** Body as sent, decoded; empty when there is none. */
  text: string;
  /** Parsed body; undefined when there is none. */
  json: unknown;
}

export const emptyContext = (requestId: string): RequestContext => ({
  requestId,
  caller: null,
  params: {},
  query: null,
  idempotencyKey: null,
  text: '',
  json: undefined,
});

/** Middlewares hand their findings on by the event, as middy's own body parser does. */
export type HttpEvent = APIGatewayProxyEventV2 & { context: RequestContext };
export type HttpResult = APIGatewayProxyStructuredResultV2;

/** API Gateway sends header names in lower case. */
export const readHeader = (event: Pick<APIGatewayProxyEventV2, 'headers'>, name: string): string | undefined =>
  event.headers?.[name];
