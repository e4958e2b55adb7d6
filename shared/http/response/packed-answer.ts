/** Compresses answers with gzip if the caller accepts it, since an HTTP API does not compress (AWS documentation). */
import { gzipSync } from 'node:zlib';
import type { MiddlewareObj } from '@middy/core';
import Negotiator from 'negotiator';
import type { EndpointContract } from '#shared/http/contract.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import type { HttpEvent, HttpResult } from '#shared/http/request-context.ts';

/** True if the caller prefers gzip to plain text. */
const takesGzip = ({ headers }: Pick<HttpEvent, 'headers'>): boolean =>
  new Negotiator({ headers: headers as Record<string, string> }).encoding(['gzip', 'identity']) === 'gzip';

/**
 * Makes the tag weak, because compressed bytes differ from the bytes of the tag but have the same meaning (RFC 9110
 * §8.8.1).
 */
const weak = (headers: NonNullable<HttpResult['headers']>): NonNullable<HttpResult['headers']> => {
  const etag = String(headers.etag ?? '');
  return etag.startsWith('"') ? { ...headers, etag: `W/${etag}` } : headers;
};

/**
 * Compresses texts of at least `answerPackBytesMin`. Answers with a secret stay uncompressed, because the compressed
 * length would reveal how similar the secret and the request are.
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
