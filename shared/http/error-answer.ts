/**
 * The only place that turns errors into answers. What is not an `ApiError` is ours to mend: the caller gets a fixed
 * message, the log gets name and place of the cause under the request id, never its message, which may quote data.
 */
import type { MiddlewareObj } from '@middy/core';
import { describeError, log } from '#shared/platform/logger.ts';
import { checksAnswers } from './answer-check.ts';
import type { EndpointContract } from './contract.ts';
import { answerableCodes } from './error-codes.ts';
import { ApiError } from './errors.ts';
import type { Answer, HttpEvent, HttpResult } from './exchange.ts';

const INTERNAL = new ApiError('internal_error', 'Something went wrong on our side. Try again later.');

/** The answer an error stands for. Pure, so that idempotency can keep it. */
export const answerOf = (error: unknown): Answer => {
  const { status, code, message, headers } = error instanceof ApiError ? error : INTERNAL;
  return { status, body: { error: { code, message } }, headers: { ...headers } };
};

export const toResult = (answer: Answer): HttpResult => ({
  statusCode: answer.status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...answer.headers },
  body: JSON.stringify(answer.body),
});

export const errorHandler = (contract: EndpointContract): MiddlewareObj<HttpEvent, HttpResult> => {
  const answerable = answerableCodes(contract);
  const judged = (error: unknown, requestId: string): unknown => {
    if (error instanceof ApiError && error.code !== 'internal_error') {
      if (answerable.has(error.code) || !checksAnswers()) return error;
      log.error('an error code is missing in the contract', {
        request_id: requestId,
        operation: contract.id,
        code: error.code,
      });
      return INTERNAL;
    }
    log.error('a request failed', { request_id: requestId, operation: contract.id, ...describeError(error) });
    return error;
  };
  return {
    // Sets the answer instead of returning it: middy ends the chain on a returned value, and headers come after.
    onError: (request) => {
      request.response = toResult(answerOf(judged(request.error, request.event.exchange.requestId)));
    },
  };
};
