/**
 * Validates ids in the path (decisions.md §1). An id that must be a UUID is validated before query and body. For other
 * ids a wrong format only means that the id is unknown, so they are checked last, together with existence.
 */

import type { EndpointContract } from '#shared/http/contract.ts';
import { ApiError, notFound } from '#shared/http/response/errors.ts';
import { UUID_PATTERN } from '#shared/values/fields.ts';

type Params = Record<string, string>;

/**
 * Returns every parameter of the route, with UUIDs in lower case.
 *
 * @throws ApiError 400 for a malformed id that must be a UUID
 */
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

/**
 * Refuses an id that cannot exist because it is not a UUID.
 * @throws ApiError 404, as for an unknown id
 */
export const refuseImpossibleIds = (contract: Pick<EndpointContract, 'params'>, params: Params): void => {
  for (const [name, rule] of Object.entries(contract.params))
    if ('unknown' in rule && !UUID_PATTERN.test(params[name] ?? '')) throw notFound(rule.unknown);
};
