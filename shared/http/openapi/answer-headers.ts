/** Headers of answers, and the parts that successes and errors share. */
import type { SchemaJson } from './json-schema.ts';

export const SHARED_HEADERS: Record<string, SchemaJson> = {
  RequestId: {
    description: "Finds the request in our log: the caller's own `x-request-id` when well-formed, else a new one.",
    schema: { type: 'string' },
    example: '6f1f2a4e-6d0a-4b7c-8f6e-2f1d9a3b5c77',
  },
  RetryAfter: {
    description: 'Seconds to wait before another try; absent where the gateway answers.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  RateLimit: {
    description:
      'How many sync starts of the organization are left, `r`, and for how many seconds, `t`; absent where the gateway ' +
      'answers (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"sync-starts";r=59;t=42',
  },
  RateLimitPolicy: {
    description: 'How many sync starts, `q`, an organization has in `w` seconds; absent where the gateway answers.',
    schema: { type: 'string' },
    example: '"sync-starts";q=60;w=60',
  },
  Authenticate: {
    description: 'How to authenticate. Behind API Gateway this header is named `x-amzn-remapped-www-authenticate`.',
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

export const header = (name: string): SchemaJson => ({ $ref: `#/components/headers/${name}` });
export const rateLimit = { ratelimit: header('RateLimit'), 'ratelimit-policy': header('RateLimitPolicy') };
export const requestId = { 'x-request-id': header('RequestId') };
export const json = (schema: SchemaJson, examples: SchemaJson): SchemaJson => ({
  'application/json': { schema, ...examples },
});
