/**
 * Outside production every answer is held against its contract, so that a field that is missing, misnamed or too much
 * is found by the first test that meets it and not by an integrator.
 */

import { isDeepStrictEqual } from 'node:util';
import type { EndpointContract } from '#shared/http/contract.ts';
import { judge } from '#shared/http/request/issues.ts';
import type { Answer } from '#shared/http/request-context.ts';
import { envOptional } from '#shared/platform/env.ts';
import { log } from '#shared/platform/logger.ts';
import { BASE_VARIABLES } from '#shared/platform/needs.ts';
import { AppError } from '#shared/values/app-error.ts';

export const checksAnswers = (): boolean => envOptional(BASE_VARIABLES.stage) !== 'prod';

class AnswerMismatch extends AppError {
  constructor(operation: string) {
    super(`the answer of ${operation} does not fit its contract`);
  }
}

/** What is wrong with the answer, without its values; undefined when it fits. */
export const mismatch = (contract: EndpointContract, answer: Answer): string | undefined => {
  const schema = contract.responses[answer.status];
  if (!schema) return `status ${answer.status} is not in the contract`;
  // As it will be on the wire: undefined fields are gone, dates are text.
  const isText = answer.body === undefined || answer.body instanceof Uint8Array;
  const sent: unknown = isText ? answer.body : JSON.parse(JSON.stringify(answer.body));
  const parsed = judge(schema, sent);
  if (parsed.finding !== undefined) return parsed.finding;
  // Parsing drops what a schema does not know: fields that are not listed are absent (decisions.md §1).
  return isDeepStrictEqual(parsed.data, sent) ? undefined : 'a field is not in the contract';
};

/** Throws when the answer does not fit. Does nothing in production. */
export const checkAnswer = (contract: EndpointContract, answer: Answer, requestId: string): void => {
  if (!checksAnswers()) return;
  const found = mismatch(contract, answer);
  if (found === undefined) return;
  log.error('an answer does not fit its contract', {
    request_id: requestId,
    operation: contract.id,
    status: answer.status,
    finding: found,
  });
  throw new AnswerMismatch(contract.id);
};
