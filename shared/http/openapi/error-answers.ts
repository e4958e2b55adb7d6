/**
 * Describes error answers: one component response per status, with every code of that status. An operation lists its
 * own codes in `x-error-codes` and in its description.
 */
import type { EndpointContract } from '#shared/http/contract.ts';
import { codesByStatus, readsBody } from '#shared/http/response/error-codes.ts';
import { ERROR_STATUS, type ErrorCode } from '#shared/http/response/errors.ts';
import { header, json, rateLimit, requestId } from './answer-headers.ts';
import { describeCode } from './code-texts.ts';
import { reference, type SchemaJson } from './json-schema.ts';

/** The envelope of every error that a function returns. The errors of the gateway have another body. */
export const ERROR_SCHEMAS: Record<string, SchemaJson> = {
  ErrorResponse: {
    type: 'object',
    description: 'The body of every refused request. `code` is stable; `message` is for people.',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: Object.keys(ERROR_STATUS), examples: ['validation_error'] },
          message: { type: 'string', description: 'Never contains a value from the request or a secret.' },
        },
        required: ['code', 'message'],
        additionalProperties: false,
      },
    },
    required: ['error'],
    additionalProperties: false,
  },
  GatewayError: {
    type: 'object',
    description: 'The body of the answer if the gateway in front of the service refused the request.',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
};

interface StatusAnswer {
  name: string;
  /** The gateway's own answer at this status. */
  gateway?: { message: string; description: string };
}

const REFUSALS: Readonly<Record<number, StatusAnswer>> = {
  400: { name: 'BadRequest' },
  401: { name: 'Unauthorized' },
  403: { name: 'Forbidden' },
  404: { name: 'NotFound' },
  409: { name: 'Conflict' },
  410: { name: 'Gone' },
  413: {
    name: 'ContentTooLarge',
    gateway: { message: 'Request Entity Too Large', description: 'The request is larger than 10 MB.' },
  },
  415: { name: 'UnsupportedMediaType' },
  422: { name: 'UnprocessableContent' },
  429: {
    name: 'TooManyRequests',
    gateway: { message: 'Too Many Requests', description: 'Too many requests to the service as a whole.' },
  },
  431: {
    name: 'HeadersTooLarge',
    gateway: { message: 'Request Header Fields Too Large', description: 'The headers are too large.' },
  },
  500: { name: 'InternalError' },
  503: {
    name: 'ServiceUnavailable',
    gateway: { message: 'Service Unavailable', description: 'The service did not answer in time.' },
  },
};

/**
 * Returns the codes of a status. `validation_error` has status 400 before the body is read, and status 422 for the
 * body.
 */
const codesAt = (status: number): ErrorCode[] => {
  const codes = (Object.keys(ERROR_STATUS) as ErrorCode[]).filter((code) => ERROR_STATUS[code] === status);
  return status === 422 ? ['validation_error', ...codes] : codes;
};

const headersOf = (status: number): SchemaJson => ({
  ...requestId,
  ...(status === 401 ? { 'www-authenticate': header('Authenticate') } : {}),
  ...(status === 429 ? { 'retry-after': header('RetryAfter'), ...rateLimit } : {}),
  ...(status === 503 ? { 'retry-after': header('RetryAfter') } : {}),
});

const errorExample = (code: ErrorCode): SchemaJson => ({
  summary: describeCode(code),
  value: { error: { code, message: describeCode(code) } },
});

const schemaOf = (codes: readonly ErrorCode[], gateway: StatusAnswer['gateway']): SchemaJson => {
  if (!gateway) return reference('ErrorResponse');
  if (codes.length === 0) return reference('GatewayError');
  return { oneOf: [reference('ErrorResponse'), reference('GatewayError')] };
};

const refusalAnswer = (status: number, { gateway }: StatusAnswer): SchemaJson => {
  const codes = codesAt(status);
  const told = codes.map((code) => `\`${code}\`: ${describeCode(code)}`);
  const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code)]));
  return {
    description: [...told, ...(gateway ? [`\`{message}\` (by the gateway): ${gateway.description}`] : [])].join('\n\n'),
    ...(codes.length > 0 ? { headers: headersOf(status) } : {}),
    content: json(schemaOf(codes, gateway), {
      examples: {
        ...examples,
        ...(gateway ? { gateway: { summary: gateway.description, value: { message: gateway.message } } } : {}),
      },
    }),
  };
};

/** Component responses by name. */
export const ERROR_RESPONSES: Readonly<Record<string, SchemaJson>> = Object.fromEntries(
  Object.entries(REFUSALS).map(([status, refusal]) => [refusal.name, refusalAnswer(Number(status), refusal)]),
);

/** Returns references by status, for each status with which the operation or its gateway refuses a request. */
export const refusedStatuses = (contract: EndpointContract): [string, SchemaJson][] => {
  const atGateway = Object.keys(REFUSALS)
    .map(Number)
    .filter((status) => REFUSALS[status]!.gateway && (status !== 413 || readsBody(contract)));
  return [...new Set([...codesByStatus(contract).keys(), ...atGateway])]
    .sort((a, b) => a - b)
    .map((status) => [String(status), { $ref: `#/components/responses/${REFUSALS[status]!.name}` }]);
};

/** Returns the operation's own codes by status. */
export const listErrorCodes = (contract: EndpointContract): Record<string, ErrorCode[]> =>
  Object.fromEntries([...codesByStatus(contract)].map(([status, codes]) => [String(status), codes]));

/** Returns one sentence for people, e.g. "Error codes: 400 `validation_error`, 404 `connection_not_found`." */
export const errorCodesText = (contract: EndpointContract): string => {
  const codes = [...codesByStatus(contract)].flatMap(([status, own]) => own.map((code) => `${status} \`${code}\``));
  return `Error codes: ${codes.join(', ')}.`;
};
