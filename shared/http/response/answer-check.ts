/**
 * Checks every answer against its contract outside production, so that the first test finds a missing, misnamed or
 * extra field before an integrator does.
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

/** Describes what is wrong with the answer, without its values. Returns undefined if the answer fits the contract. */
export const mismatch = (contract: EndpointContract, answer: Answer): string | undefined => {
  const schema = contract.responses[answer.status];
  if (!schema) return `status ${answer.status} is not in the contract`;
  // The body as sent: undefined fields are dropped, and dates are text.
  const isText = answer.body === undefined || answer.body instanceof Uint8Array;
  const sent: unknown = isText ? answer.body : JSON.parse(JSON.stringify(answer.body));
  const parsed = judge(schema, sent);
  if (parsed.finding !== undefined) return parsed.finding;
  // Parsing drops unknown fields, so a difference means that the answer has a field outside the contract (decisions.md
  // §1).
  return isDeepStrictEqual(parsed.data, sent) ? undefined : 'a field is not in the contract';
};

/**
 * Checks the answer, except in production.
 *
 * @throws if the answer does not fit its contract
 */
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
