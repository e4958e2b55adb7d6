/**
 * This file is the only place that turns errors into answers. An error that is not an `ApiError` or a known domain
 * error is our fault: the caller gets a fixed message, and the log gets the name and location of the error under the
 * request id. The error's message is not logged, because it may quote data.
 */

import type { MiddlewareObj } from '@middy/core';
import { SessionRejected } from '#shared/auth/session-rejected.ts';
import type { EndpointContract } from '#shared/http/contract.ts';
import type { Answer, HttpEvent, HttpResult } from '#shared/http/request-context.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { isUnanswered, ServiceBusy } from '#shared/platform/patience.ts';
import { type ConflictCode, ConflictError } from '#shared/values/conflicts.ts';
import { checksAnswers } from './answer-check.ts';
import { answerableCodes } from './error-codes.ts';
import { ApiError } from './errors.ts';

const INTERNAL = new ApiError('internal_error', 'Something went wrong on our side. Try again later.');

const BUSY = new ApiError('temporarily_unavailable', 'The service is too busy. Repeat the request in some seconds.', {
  headers: { 'retry-after': '2' },
});

const CONFLICTS: Readonly<Record<ConflictCode, string>> = {
  connection_sync_in_progress: 'A sync of this connection is still running.',
  connection_disabled: 'This connection is disabled. Enable it with PATCH /api/connections/{id} and {"enabled": true}.',
};

const asApiError = (error: unknown): ApiError => {
  if (error instanceof ApiError) return error;
  if (error instanceof ServiceBusy) return BUSY;
  if (error instanceof SessionRejected) return new ApiError(error.code, error.message);
  return error instanceof ConflictError ? new ApiError(error.code, CONFLICTS[error.code]) : INTERNAL;
};

/**
 * Returns the error of a read, which may be repeated after any silence of AWS. After a write it is unknown whether the
 * change was made, so a write says so with `internal_error`.
 */
export const asReadError = (error: unknown): unknown =>
  isUnanswered(error) ? new ServiceBusy('a service of AWS did not answer', { cause: error }) : error;

/** Returns the answer for an error. Pure, so that the answer can be stored for idempotency. */
export const toErrorAnswer = (error: unknown): Answer => {
  const { status, code, message, headers } = asApiError(error);
  return { status, body: { error: { code, message } }, headers: { ...headers } };
};

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

export const toResult = ({ status, headers, body }: Answer): HttpResult => {
  if (body === undefined) return { statusCode: status, headers: { ...headers } };
  if (body instanceof Uint8Array)
    return {
      statusCode: status,
      headers: { ...headers },
      body: Buffer.from(body).toString('base64'),
      isBase64Encoded: true,
    };
  return { statusCode: status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(body) };
};

export const errorHandler = (contract: EndpointContract): MiddlewareObj<HttpEvent, HttpResult> => {
  const answerable = answerableCodes(contract);
  const judged = (error: unknown, requestId: string): ApiError => {
    const known = asApiError(contract.method === 'GET' ? asReadError(error) : error);
    if (known === BUSY) log.warn('a request met a busy service of AWS', describeError(error));
    const isListed = answerable.has(known.code) || !checksAnswers();
    if (known !== INTERNAL && isListed) return known;
    log.error(known === INTERNAL ? 'a request failed' : 'an error code is missing in the contract', {
      request_id: requestId,
      operation: contract.id,
      code: known.code,
      ...describeError(error),
    });
    return INTERNAL;
  };
  return {
    // Assigns the answer instead of returning it, because middy ends the chain on a returned value and the headers are
    // added later.
    onError: (request) => {
      request.response = toResult(toErrorAnswer(judged(request.error, request.event.context.requestId)));
    },
  };
};
