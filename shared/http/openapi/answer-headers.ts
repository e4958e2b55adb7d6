/** Headers of answers, and the parts that successes and errors share. */
import type { SchemaJson } from './json-schema.ts';

export const SHARED_HEADERS: Record<string, SchemaJson> = {
  RequestId: {
    description:
      "Identifies the request in our log: the caller's own `x-request-id` if well-formed, otherwise a new id.",
    schema: { type: 'string' },
    example: '6f1f2a4e-6d0a-4b7c-8f6e-2f1d9a3b5c77',
  },
  RetryAfter: {
    description: 'Seconds to wait before the next attempt. Absent in answers of the gateway.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  RateLimit: {
    description:
      'How many requests of the named policy are left, `r`, and for how many seconds, `t`; absent where the gateway ' +
      'answers (draft-ietf-httpapi-ratelimit-headers).',
    schema: { type: 'string' },
    example: '"sync-starts";r=59;t=42',
  },
  RateLimitPolicy: {
    description: 'How many requests, `q`, the named policy allows in `w` seconds; absent where the gateway answers.',
    schema: { type: 'string' },
    example: '"sync-starts";q=60;w=60',
  },
  Authenticate: {
    description: 'How to authenticate. API Gateway renames this header to `x-amzn-remapped-www-authenticate`.',
    schema: { type: 'string', const: 'Bearer' },
    example: 'Bearer',
  },
  ETag: {
    description: 'Identifies this version of the answer.',
    schema: { type: 'string' },
    example: '"q0x7-2vbt"',
  },
  Location: {
    description: 'URL of the file. It is signed and expires soon: follow it at once and do not store it.',
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
