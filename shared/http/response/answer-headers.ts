/**
 * Sets the headers of every answer, including errors. So the middlewares of this file are outside the error handler.
 */
import type { MiddlewareObj } from '@middy/core';
import httpSecurityHeaders from '@middy/http-security-headers';
import type { EndpointContract } from '#shared/http/contract.ts';
import { chooseRequestId } from '#shared/http/request/request-id.ts';
import { emptyContext, type HttpEvent, type HttpResult, readHeader } from '#shared/http/request-context.ts';

type HttpMiddleware = MiddlewareObj<HttpEvent, HttpResult>;

/**
 * The part of middy's security headers that a JSON API needs. The defaults of middy are for pages: violation reports,
 * forty browser features and document isolation have no effect here and cost 1.5 kB per answer. `undefined` removes a
 * directive from the default policy.
 */
export const securityHeaders = ({
  contentSecurityPolicy,
}: Pick<EndpointContract, 'contentSecurityPolicy'>): HttpMiddleware =>
  httpSecurityHeaders({
    contentSecurityPolicy: {
      'default-src': "'none'",
      'base-uri': "'none'",
      'form-action': "'none'",
      'frame-ancestors': "'none'",
      ...NO_PAGE_DIRECTIVES,
      ...contentSecurityPolicy,
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: false,
    dnsPrefetchControl: false,
    downloadOptions: false,
    originAgentCluster: false,
    permissionsPolicy: false,
    permittedCrossDomainPolicies: false,
    reportingEndpoints: false,
    reportTo: false,
  }) as HttpMiddleware;

const NO_PAGE_DIRECTIVES: Record<string, never> = Object.fromEntries(
  ['sandbox', 'report-to', 'require-trusted-types-for', 'upgrade-insecure-requests'].map((name) => [name, undefined]),
) as Record<string, never>;

/** Gives the request its id and every answer its headers. */
export const answerHeaders = (contract: Pick<EndpointContract, 'auth'>): HttpMiddleware => {
  const complete = (request: { event: HttpEvent; response?: HttpResult | null | undefined }): void => {
    if (!request.response) return;
    request.response.headers = {
      ...request.response.headers,
      'x-request-id': request.event.context.requestId,
      ...(contract.auth === 'public' ? {} : { 'cache-control': 'no-store' }),
    };
  };
  return {
    before: ({ event }) => {
      event.context = emptyContext(chooseRequestId(readHeader(event, 'x-request-id')));
    },
    after: complete,
    onError: complete,
  };
};
