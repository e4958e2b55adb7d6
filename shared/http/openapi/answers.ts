/** What an operation may answer: its own results, its error codes by status, and what the gateway itself answers. */
import { type EndpointContract, NO_BODY } from '#shared/http/contract.ts';
import { codesByStatus, readsBody } from '#shared/http/response/error-codes.ts';
import { ERROR_STATUS, type ErrorCode } from '#shared/http/response/errors.ts';
import { textOf } from './code-texts.ts';
import { type Components, exampleOf } from './examples.ts';
import { type Json, reference, type Schemas } from './json-schema.ts';

export const SHARED_HEADERS: Record<string, Json> = {
  RequestId: {
    description: "Finds the request in our log: the caller's own `x-request-id` when well-formed, else a new one.",
    schema: { type: 'string' },
    example: '6f1f2a4e-6d0a-4b7c-8f6e-2f1d9a3b5c77',
  },
  RetryAfter: {
    description: 'Seconds to wait before another try.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  Authenticate: {
    description: 'How to authenticate.',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  ETag: {
    description: 'Names this version of the answer.',
    schema: { type: 'string' },
    example: '"q0x7-2vbt"',
  },
  Location: {
    description: 'Where the file is. The address is signed and short-lived: follow it at once, do not keep it.',
    schema: { type: 'string', format: 'uri' },
    example: 'https://example.com/signed-file',
  },
};

const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });
const requestId = { 'x-request-id': header('RequestId') };
const json = (schema: Json, examples: Json): Json => ({ 'application/json': { schema, ...examples } });

/** The envelope of every error that a function answers; the gateway's own are another body. */
export const ERROR_SCHEMAS: Record<string, Json> = {
  Error: {
    type: 'object',
    description: 'What every refused request is answered with. `code` is stable, `message` is for people.',
    properties: {
      error: {
        type: 'object',
        properties: {
          code: { type: 'string', enum: Object.keys(ERROR_STATUS), examples: ['validation_error'] },
          message: { type: 'string', description: 'Never quotes a value that was sent, nor a secret.' },
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
    description: 'What the gateway in front of the service answers itself, before a request reaches it.',
    properties: { message: { type: 'string' } },
    required: ['message'],
  },
};

const GATEWAY: Readonly<Record<number, { name: string; message: string; description: string }>> = {
  413: {
    name: 'GatewayTooLarge',
    message: 'Request Entity Too Large',
    description: 'The request is larger than 10 MB.',
  },
  429: {
    name: 'GatewayBusy',
    message: 'Too Many Requests',
    description: 'Too many requests to the service as a whole.',
  },
  431: {
    name: 'GatewayHeaders',
    message: 'Request Header Fields Too Large',
    description: 'The headers are too large.',
  },
  503: { name: 'GatewayDown', message: 'Service Unavailable', description: 'The service did not answer in time.' },
};

const errorSchema = (codes: readonly ErrorCode[]): Json => ({
  allOf: [reference('Error'), { properties: { error: { properties: { code: { enum: codes }, message: true } } } }],
});

const errorExample = (code: ErrorCode): Json => ({
  summary: textOf(code),
  value: { error: { code, message: textOf(code) } },
});

const headersOf = (status: number): Json => ({
  ...requestId,
  ...(status === 401 ? { 'www-authenticate': header('Authenticate') } : {}),
  ...(status === 429 ? { 'retry-after': header('RetryAfter') } : {}),
});

const errorAnswer = (status: number, codes: readonly ErrorCode[]): Json => {
  const gateway = GATEWAY[status];
  const described = codes.map((code) => `\`${code}\`: ${textOf(code)}`);
  const examples = Object.fromEntries(codes.map((code) => [code, errorExample(code)]));
  if (!gateway) {
    const content = json(errorSchema(codes), { examples });
    return { description: described.join('\n\n'), headers: headersOf(status), content };
  }
  const { message, description } = gateway;
  const schema =
    codes.length > 0 ? { oneOf: [errorSchema(codes), reference('GatewayError')] } : reference('GatewayError');
  return {
    description: [...described, `\`{message}\` (by the gateway): ${description}`].join('\n\n'),
    ...(codes.length > 0 ? { headers: headersOf(status) } : {}),
    content: json(schema, { examples: { ...examples, gateway: { summary: description, value: { message } } } }),
  };
};

/** Most clients follow a redirect by themselves: this is what they see in its place. */
const FOLLOWED: Json = {
  description: 'The file, as clients see it that follow the redirect by themselves.',
  content: { '*/*': { schema: {} } },
};

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  200: 'Done.',
  201: 'Created.',
  202: 'Accepted: it is being worked on.',
  302: 'The file is at `location`.',
  304: 'Nothing new since the version that `If-None-Match` names.',
};

const successHeaders = (contract: EndpointContract, status: number): Json => ({
  ...requestId,
  ...(contract.responses[304] ? { etag: header('ETag') } : {}),
  ...(status === 302 ? { location: header('Location') } : {}),
});

export interface Answers {
  of(contract: EndpointContract, schemas: Schemas): Json;
  /** Shared answers by name: the same codes at the same status are one component. */
  components(): Record<string, Json>;
}

export const createAnswers = (): Answers => {
  const components = new Map<string, Json>();
  const shared = (name: string, make: () => Json): Json => {
    if (!components.has(name)) components.set(name, make());
    return { $ref: `#/components/responses/${name}` };
  };
  const failures = (contract: EndpointContract): [string, Json][] => {
    const codes = codesByStatus(contract);
    const atGateway = Object.keys(GATEWAY)
      .map(Number)
      .filter((status) => status !== 413 || readsBody(contract));
    return [...new Set([...codes.keys(), ...atGateway])]
      .sort((a, b) => a - b)
      .map((status) => {
        const own = codes.get(status) ?? [];
        const name = own.length > 0 ? `${status}.${own.join('.')}` : GATEWAY[status]!.name;
        return [String(status), shared(name, () => errorAnswer(status, own))];
      });
  };
  return {
    of: (contract, schemas) => {
      const successes = Object.entries(contract.responses).map(([status, schema]): [string, Json] => {
        const told = {
          description: DESCRIPTIONS[Number(status)] ?? 'Done.',
          headers: successHeaders(contract, Number(status)),
        };
        if (schema === NO_BODY) return [status, told];
        const body = schemas.of(schema);
        const all: Components = schemas.components();
        return [status, { ...told, content: json(body, { example: exampleOf(body, all) }) }];
      });
      const followed = contract.responses[302] ? [['200', FOLLOWED] as [string, Json]] : [];
      return Object.fromEntries([...followed, ...successes, ...failures(contract)]);
    },
    components: () => Object.fromEntries([...components].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
};
