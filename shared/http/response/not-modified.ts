/** `If-None-Match`: what the caller has already is not sent again (RFC 9110 §13.1.2). */
import type { MiddlewareObj } from '@middy/core';
import { type HttpEvent, type HttpResult, readHeader } from '#shared/http/request-context.ts';

const names = (sent: string, etag: string): boolean =>
  sent.split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()));

/** Answers 304 in place of a 200 whose `etag` the request names. Headers stay; the body goes, and what tells of it. */
export const notModified = (): MiddlewareObj<HttpEvent, HttpResult> => ({
  after: (request) => {
    const { statusCode, headers = {} } = request.response ?? {};
    const sent = readHeader(request.event, 'if-none-match');
    if (statusCode !== 200 || sent === undefined || !names(sent, String(headers.etag))) return;
    const { 'content-type': _type, 'content-encoding': _encoding, ...kept } = headers;
    request.response = { statusCode: 304, headers: kept };
  },
});
