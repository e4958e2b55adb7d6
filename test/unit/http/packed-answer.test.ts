import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { defineEndpoint } from '#shared/http/contract.ts';
import { endpoint } from '#shared/http/endpoint.ts';
import { context, eventOf } from '#test/helpers/http.ts';

const contract = defineEndpoint({
  id: 'test-endpoint',
  method: 'GET',
  path: '/things',
  tag: 'Things',
  summary: 'Things',
  description: 'Things.',
  auth: 'public',
  responses: { 200: z.object({ data: z.string() }), 304: z.undefined() },
  errors: [],
  needs: [],
});
const LONG = 'ñ'.repeat(600);
const answer = async (headers: Record<string, string>, { data = LONG, etag = '"v1"', showsSecret = false } = {}) => {
  const handler = endpoint({ ...contract, secretResponse: showsSecret ? 'made the thing' : null }, async () => ({
    status: 200,
    body: { data },
    headers: { etag },
  }));
  return handler(eventOf({ method: 'GET', path: '/api/things', headers }), context);
};

test.each(['gzip', 'gzip, deflate, br', 'br;q=1.0, gzip;q=0.8', '*', 'identity;q=0.5, gzip'])(
  'accept-encoding %s: packed, and the same bytes when unpacked',
  async (encoding) => {
    const [packed, plain] = await Promise.all([answer({ 'accept-encoding': encoding }), answer({})]);
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding', etag: 'W/"v1"' });
    expect(packed.isBase64Encoded).toBe(true);
    expect(gunzipSync(Buffer.from(packed.body!, 'base64')).toString()).toBe(plain.body);
    expect(packed.body!.length).toBeLessThan(plain.body!.length);
  },
);

test.each(['', 'br', 'gzip;q=0', 'identity', 'deflate, gzip;q=0', '*;q=0', 'identity, gzip;q=0.5', ';;', 'gzip-x'])(
  'accept-encoding %j: as it is',
  async (encoding) => {
    const plain = await answer(encoding === '' ? {} : { 'accept-encoding': encoding });
    expect(JSON.parse(plain.body!)).toEqual({ data: LONG });
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding', etag: '"v1"' });
    expect(plain.headers).not.toHaveProperty('content-encoding');
  },
);

test('a short answer is not packed, and one of exactly 1 KiB is', async () => {
  const around = '{"data":""}'.length;
  const of = (bytes: number) => answer({ 'accept-encoding': 'gzip' }, { data: 'x'.repeat(bytes - around) });
  expect((await of(1_023)).headers).not.toHaveProperty('content-encoding');
  expect((await of(1_024)).headers).toHaveProperty('content-encoding', 'gzip');
});

test('an answer that shows a secret is never packed', async () => {
  const shown = await answer({ 'accept-encoding': 'gzip' }, { showsSecret: true });
  expect(JSON.parse(shown.body!)).toEqual({ data: LONG });
});

test.each(['"v1"', 'W/"v1"'])('what the caller has by the tag %s is not sent again', async (tag) => {
  const nothing = await answer({ 'accept-encoding': 'gzip', 'if-none-match': tag });
  expect([nothing.statusCode, nothing.body]).toEqual([304, undefined]);
  expect(nothing.headers).toMatchObject({ vary: 'accept-encoding' });
  expect(nothing.headers).not.toHaveProperty('content-encoding');
});
