/**
 * The error codes that an endpoint can return: the codes listed in its contract, and the codes that follow from the
 * contract's other fields.
 */
import { type EndpointContract, isRead, isRepeatable, refusesUnknownQuery } from '#shared/http/contract.ts';
import { ERROR_STATUS, type ErrorCode } from './errors.ts';

/** True if the service reads the bodies of requests with this method. Bodies of GET and DELETE are ignored. */
export const readsBody = (contract: Pick<EndpointContract, 'method'>): boolean =>
  contract.method === 'POST' || contract.method === 'PUT' || contract.method === 'PATCH';

const BODY_CODES = ['validation_error', 'invalid_json', 'unsupported_media_type', 'payload_too_large'] as const;
const IDEMPOTENCY_CODES = ['idempotency_key_reused', 'idempotency_key_in_progress'] as const;

const impliedCodes = (contract: EndpointContract): ErrorCode[] => {
  const codes: ErrorCode[] = ['internal_error'];
  if (contract.needs.some((need) => need.startsWith('table:'))) codes.push('temporarily_unavailable');
  if (contract.auth !== 'public') codes.push('unauthorized', 'forbidden');
  if (isRead(contract)) codes.push('rate_limited');
  for (const param of Object.values(contract.params)) {
    if ('unknown' in param) codes.push(param.unknown);
    if ('uuid' in param) codes.push('validation_error');
  }
  if (contract.query !== null || refusesUnknownQuery(contract)) codes.push('validation_error');
  if (readsBody(contract)) codes.push(...BODY_CODES, ...Object.values(contract.bodyCodes));
  if (isRepeatable(contract)) codes.push(...IDEMPOTENCY_CODES);
  return codes;
};

/**
 * Returns every code that the endpoint can return, for the description and for the check of answers outside production.
 */
export const answerableCodes = (contract: EndpointContract): ReadonlySet<ErrorCode> =>
  new Set([...impliedCodes(contract), ...contract.errors]);

const statusesOf = (contract: EndpointContract, code: ErrorCode): number[] => {
  if (code !== 'validation_error') return [Object.values(contract.bodyCodes).includes(code) ? 422 : ERROR_STATUS[code]];
  // `validation_error` has status 400 for path, query and Idempotency-Key, and 422 for a body (decisions.md §1).
  const isJudgedBefore =
    contract.query !== null ||
    refusesUnknownQuery(contract) ||
    isRepeatable(contract) ||
    Object.values(contract.params).some((param) => 'uuid' in param);
  return [...(isJudgedBefore ? [400] : []), ...(readsBody(contract) ? [422] : [])];
};

/** Returns the codes by status. */
export const codesByStatus = (contract: EndpointContract): Map<number, ErrorCode[]> => {
  const pairs = [...answerableCodes(contract)].flatMap((code) =>
    statusesOf(contract, code).map((status) => ({ status, code })),
  );
  return new Map(
    [...Map.groupBy(pairs, ({ status }) => status)]
      .sort(([a], [b]) => a - b)
      .map(([status, group]) => [status, group.map(({ code }) => code).sort()]),
  );
};
