/**
 * Ids in the path (decisions.md §1). Those whose form is a rule of the request are judged before query and body; those
 * that can merely be unknown are judged with existence, after everything else.
 */

import type { EndpointContract } from '#shared/http/contract.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';

type Params = Record<string, string>;

/** Every parameter of the route, UUIDs in lower case. Throws 400 for one that must be a UUID and is none. */
export const hardParams = (
  contract: Pick<EndpointContract, 'params'>,
  sent: Record<string, string | undefined>,
): Params =>
  Object.fromEntries(
    Object.entries(contract.params).map(([name, rule]) => {
      const value = sent[name] ?? '';
      if ('text' in rule) return [name, value];
      if ('uuid' in rule && !UUID_PATTERN.test(value)) throw new ApiError('validation_error', `${name} must be a UUID`);
      return [name, value.toLowerCase()];
    }),
  );

/** Throws the 404 of an unknown id for one that cannot be any. */
export const refuseImpossibleIds = (contract: Pick<EndpointContract, 'params'>, params: Params): void => {
  for (const [name, rule] of Object.entries(contract.params))
    if ('unknown' in rule && !UUID_PATTERN.test(params[name] ?? '')) throw notFound(rule.unknown);
};
