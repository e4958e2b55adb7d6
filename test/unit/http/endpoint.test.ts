import { expect, test, vi } from 'vitest';
import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { ApiError } from '#shared/http/response/errors.ts';
import { answered, call, eventOf } from '#test/helpers/http.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const ID = 'ABCDEFAB-1111-4111-8111-111111111111';

const contract = defineEndpoint({
  id: 'test-endpoint',
  method: 'PUT',
  path: '/things/{id}/parts/{partId}',
  tag: 'Test',
  summary: '',
  description: '',
  auth: 'public',
  params: { id: { unknown: 'connection_not_found' }, partId: { uuid: true } },
  query: z.object({ limit: z.int().max(9).optional() }),
  body: z.strictObject({ a: z.string(), deep: z.unknown().optional() }),
  responses: { 200: z.object({ a: z.string() }) },
  errors: ['connection_disabled'],
  needs: [],
});
const params = { id: ID, partId: ID };
const echo = endpoint(contract, async ({ body }) => ({ status: 200, body: { a: body.a } }));
const send = (request = {}) => call(contract, echo, { params, body: { a: 'x' }, ...request });
const base64 = (bytes: Uint8Array | string) => ({ body: Buffer.from(bytes).toString('base64'), isBase64Encoded: true });
const JSON_TYPE = { 'content-type': 'application/json' };

test('hands on lower-case ids, typed query and body', async () => {
  const logic = vi.fn(async () => ({ status: 200, body: { a: 'x' } }));
  await call(contract, endpoint(contract, logic), { params, query: 'limit=7', body: { a: 'x' } });
  expect(logic).toHaveBeenCalledWith(
    expect.objectContaining({
      caller: null,
      params: { id: ID.toLowerCase(), partId: ID.toLowerCase() },
      query: { limit: 7 },
      body: { a: 'x' },
    }),
  );
});

test('checks path, query, media type, size, form, schema, then existence', async () => {
  const wrong = { params: { id: 'x', partId: 'x' }, query: 'limit=x', headers: { 'content-type': 'text/plain' } };
  const big = JSON.stringify({ a: 'x'.repeat(256 * 1024) });
  const steps: [object, number, string][] = [
    [{ ...wrong, body: big }, 400, 'partId must be a UUID'],
    [{ ...wrong, params: { id: 'x', partId: ID }, body: big }, 400, 'limit must be an integer of at most 9'],
    [{ ...wrong, params: { id: 'x', partId: ID }, query: '', body: big }, 415, 'The body must be application/json.'],
    [{ params: { id: 'x', partId: ID }, body: big }, 413, 'The body must be at most 256 KiB.'],
    [{ params: { id: 'x', partId: ID }, body: '{' }, 400, expect.stringMatching(/^The body is not valid JSON: /)],
    [{ params: { id: 'x', partId: ID }, body: {} }, 422, 'a is required'],
    [{ params: { id: 'x', partId: ID } }, 404, 'No connection with this id. An id is a UUID of 36 characters.'],
  ];
  for (const [request, status, message] of steps) {
    const answer = await send(request);
    expect([answer.status, answer.body.error.message]).toEqual([status, message]);
  }
});

test.each([
  ['application/json', 200],
  ['application/json; charset=utf-8', 200],
  ['Application/JSON ;charset=UTF-8', 200],
  ['application/merge-patch+json', 415],
  ['application/jsonx', 415],
  ['text/plain', 415],
  ['', 415],
])('content type %j: %i', async (contentType, status) => {
  expect((await send({ headers: { 'content-type': contentType } })).status).toBe(status);
});

test.each([
  ['[]', 422],
  ['null', 422],
  ['"a"', 422],
  ['7', 422],
  ['', 400],
  [' ', 400],
  ['{"a":1}', 422],
  ['{"a":"x","b":1}', 422],
  ['{"a":"x","__proto__":{"polluted":1}}', 422],
  ['{"a":"x","deep":{"__proto__":{"polluted":1}}}', 422],
  ['{"a":"x","deep":{"constructor":{"prototype":{"polluted":1}}}}', 422],
  [`{"a":"x","deep":${'['.repeat(1_000)}${']'.repeat(1_000)}}`, 200],
  [`{"a":"x","deep":${'{"d":'.repeat(1_000)}1${'}'.repeat(1_000)}}`, 200],
  [`{"a":"x","deep":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 400],
  ['{"a":"x"', 400],
  ['\ufeff{"a":"x"}', 200],
  ['\ufeff\ufeff{"a":"x"}', 400],
  ['{\ufeff"a":"x"}', 400],
])('body %.60s: %i', async (body, status) => {
  const answer = await send({ body, headers: JSON_TYPE });
  expect(answer.status).toBe(status);
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

test.each([
  ['gzip', 415],
  ['br', 415],
  ['identity', 200],
  ['', 200],
])('content-encoding %j: %i', async (encoding, status) => {
  const answer = await send({ body: '{"a":"x"}', headers: { ...JSON_TYPE, 'content-encoding': encoding } });
  expect(answer.status).toBe(status);
  if (status === 415)
    expect(answer.body.error).toEqual({
      code: 'unsupported_media_type',
      message: 'The body must be sent without content-encoding.',
    });
});

test('bytes: base64 is opened, invalid UTF-8 is not JSON, size counts decoded bytes', async () => {
  for (const text of ['{"a":"ñ"}', '\ufeff{"a":"ñ"}'])
    expect((await send({ ...base64(text), headers: JSON_TYPE })).body).toEqual({ a: 'ñ' });
  const invalid = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]);
  expect((await send({ ...base64(invalid), headers: JSON_TYPE })).body.error.code).toBe('invalid_json');
  const fits = `{"a":"${'x'.repeat(256 * 1024 - 8)}"}`;
  expect((await send({ body: fits })).status).toBe(200);
  expect((await send({ ...base64(fits), headers: JSON_TYPE })).status).toBe(200);
  expect((await send({ body: fits.replace('x', 'ñ') })).status).toBe(413);
  expect((await send({ ...base64(`${fits} `), headers: JSON_TYPE })).status).toBe(413);
});

test.each([
  ['{"a":"\\ud83d\\ude00"}', 200],
  ['{"a":"\\\\ud83d"}', 200],
  ['{"a":"\\ud83d"}', 400],
  ['{"a":"x","b":[{"\\udc00":1}]}', 400],
  [`{"a":${'['.repeat(50_000)}"\\ud83d"${']'.repeat(50_000)}}`, 400],
])('half a surrogate pair is no text, at any depth (%#)', async (body, status) => {
  const answer = await send({ body });
  expect(answer.status).toBe(status);
  if (status === 400) expect(answer.body.error.code).toBe('invalid_json');
});

test('every answer has its id, its type and the headers of an API; a public one may be cached', async () => {
  for (const request of [{}, { body: {} }]) {
    const { headers } = await send({ headers: { ...JSON_TYPE, 'x-request-id': 'mine-1' }, ...request });
    expect(headers).toMatchObject({
      'x-request-id': 'mine-1',
      'content-type': 'application/json; charset=utf-8',
      'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['strict-transport-security']).toMatch(/^max-age=\d+/);
    expect(headers['cache-control']).toBeUndefined();
    expect(Object.keys(headers)).toHaveLength(9);
  }
});

test('where credentials are needed, answers are not stored anywhere', async () => {
  const needsKey = { ...contract, auth: 'key' } as const;
  const answer = await call(
    needsKey,
    endpoint(needsKey, async () => ({ status: 200, body: { a: 'x' } })),
  );
  expect(answer.status).toBe(401);
  expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'www-authenticate': 'Bearer' });
});

const failing = (error: unknown) =>
  endpoint(contract, async () => {
    throw error;
  });

test('an unknown error is ours: fixed message, its own only not even in the log', async () => {
  const log = captureLog();
  const answer = await call(contract, failing(new Error('canary-in-message')), {
    params,
    body: { a: 'x' },
    headers: { 'x-request-id': 'find-me' },
  });
  expect(answer.status).toBe(500);
  expect(answer.body).toEqual({
    error: { code: 'internal_error', message: 'Something went wrong on our side. Try again later.' },
  });
  expect(log.text()).toContain('find-me');
  expect(log.text()).toContain('endpoint.test.ts');
  expect(log.text() + answer.text).not.toContain('canary-in-message');
});

test('headers of an error reach the answer', async () => {
  const error = new ApiError('connection_disabled', 'no', { headers: { 'retry-after': '7' } });
  const answer = await call(contract, failing(error), { params, body: { a: 'x' } });
  expect([answer.status, answer.headers['retry-after']]).toEqual([409, '7']);
});

test.each([
  ['a code that is not in the contract', failing(new ApiError('nomina_not_found', ''))],
  ['a status that is not', endpoint(contract, async () => ({ status: 201, body: { a: 'x' } }))],
  ['a missing field', endpoint(contract, async () => ({ status: 200, body: {} }))],
  ['a field too much', endpoint(contract, async () => ({ status: 200, body: { a: 'x', b: 1 } }))],
])('outside production, %s is loud: 500', async (_, handler) => {
  vi.stubEnv('STAGE', 'test');
  expect((await call(contract, handler, { params, body: { a: 'x' } })).status).toBe(500);
  vi.stubEnv('STAGE', 'prod');
  expect((await call(contract, handler, { params, body: { a: 'x' } })).status).not.toBe(500);
});

test('without a described body nothing may be in it, and it may be absent', async () => {
  const bare = { ...contract, body: null } as const;
  const handler = endpoint(bare, async () => ({ status: 200, body: { a: 'x' } }));
  const status = async (request: object) => (await call(bare, handler, { params, ...request })).status;
  expect(await status({})).toBe(200);
  expect(await status({ body: '', headers: { 'content-type': 'text/plain' } })).toBe(200);
  expect(await status({ body: {} })).toBe(200);
  expect(await status({ body: { a: 1 } })).toBe(422);
  expect(await status({ body: 'x' })).toBe(400);
});

test('an optional body that is missing is validated as an empty object', async () => {
  const optional = { ...contract, body: z.strictObject({ a: z.string().optional() }), bodyOptional: true } as const;
  const handler = endpoint(optional, async ({ body }) => ({ status: 200, body: { a: body.a ?? 'none' } }));
  expect((await call(optional, handler, { params })).body).toEqual({ a: 'none' });
  expect((await call(optional, handler, { params, body: { a: 'y' } })).body).toEqual({ a: 'y' });
});

test('bodies of GET and DELETE mean nothing', async () => {
  const reading = { ...contract, method: 'GET', body: null } as const;
  const handler = endpoint(reading, async () => ({ status: 200, body: { a: 'x' } }));
  const event = eventOf({ method: 'GET', path: '/api/things', params, body: '{', headers: { 'content-type': 'x' } });
  expect((await answered(handler, event)).status).toBe(200);
});
