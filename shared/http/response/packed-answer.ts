/** gzip where the caller takes it: an HTTP API does not compress (AWS's documents), so the function does. */
import { gzipSync } from 'node:zlib';
import type { MiddlewareObj } from '@middy/core';
import Negotiator from 'negotiator';
import type { EndpointContract } from '#shared/http/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import type { HttpEvent, HttpResult } from '#shared/http/request-context.ts';

/** Does the caller rather take gzip than the text as it is? */
const takesGzip = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  new Negotiator({ headers: headers as Record<string, string> }).encoding(['gzip', 'identity']) === 'gzip';

/** Packed bytes are not those that the tag names, but mean the same (RFC 9110 §8.8.1). */
const weak = (headers: NonNullable<HttpResult['headers']>): NonNullable<HttpResult['headers']> => {
  const etag = String(headers.etag ?? '');
  return etag.startsWith('"') ? { ...headers, etag: `W/${etag}` } : headers;
};

/**
 * Packs texts from `answerPackBytesMin` on. Answers that show a secret stay as they are: the length of a packed one would
 * tell how alike the secret and the request are.
 */
export const packedAnswer = (
  contract: Pick<EndpointContract, 'secretResponse'>,
): MiddlewareObj<HttpEvent, HttpResult> => {
  const pack = (request: { event: HttpEvent; response?: HttpResult | null | undefined }): void => {
    const { response, event } = request;
    if (!response || contract.secretResponse !== null) return;
    const { body, isBase64Encoded, headers = {} } = response;
    const isText = body !== undefined && isBase64Encoded !== true;
    if (!isText && response.statusCode !== 304) return;
    response.headers = { ...headers, vary: 'accept-encoding' };
    if (!isText || Buffer.byteLength(body) < HTTP_LIMITS.answerPackBytesMin || !takesGzip(event)) return;
    request.response = {
      ...response,
      headers: { ...weak(response.headers), 'content-encoding': 'gzip' },
      body: gzipSync(body).toString('base64'),
      isBase64Encoded: true,
    };
  };
  return { after: pack, onError: pack };
};
