/** Handles `If-None-Match`: an answer that the caller already has is not sent again (RFC 9110 §13.1.2). */
import type { MiddlewareObj } from '@middy/core';
import { type HttpEvent, type HttpResult, readHeader } from '#shared/http/request-context.ts';

const names = (sent: string, etag: string): boolean =>
  sent.split(',').some((each) => [etag, `W/${etag}`, '*'].includes(each.trim()));

/** Turns a 200 into 304 if the request names its `etag`. Headers stay, except those that describe the removed body. */
export const notModified = (): MiddlewareObj<HttpEvent, HttpResult> => ({
  after: (request) => {
    const { statusCode, headers = {} } = request.response ?? {};
    const sent = readHeader(request.event, 'if-none-match');
    if (statusCode !== 200 || sent === undefined || !names(sent, String(headers.etag))) return;
    const { 'content-type': _type, 'content-encoding': _encoding, ...kept } = headers;
    request.response = { statusCode: 304, headers: kept };
  },
});
