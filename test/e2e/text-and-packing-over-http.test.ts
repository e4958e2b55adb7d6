/** The wire as a client sees it: answers compressed on request, and text that is refused before anything is stored. */
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { useSharedStack } from '#test/helpers/e2e-stack.ts';

const stage = useSharedStack();

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
}

/** Adds no header and decompresses nothing, unlike `fetch`. */
const ask = async (method: string, path: string, headers: Record<string, string>, body?: string): Promise<Answer> => {
  const sent = request(`${stage.api.file.api}${path}`, { method, headers });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
};

const session = () => ({ cookie: `sb-access-token=${stage.api.file.session}` });

test.each(['/external-sources', '/openapi.json'])('%s is packed when asked, and means the same', async (path) => {
  const plain = await ask('GET', path, {});
  const packed = await ask('GET', path, { 'accept-encoding': 'br, gzip' });
  expect(plain.headers).toMatchObject({ vary: 'accept-encoding' });
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(packed).toMatchObject({ status: 200, headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' } });
  expect(gunzipSync(packed.bytes).toString()).toBe(plain.bytes.toString());
  expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2);
});

test.each(['gzip;q=0', 'identity', 'br'])('accept-encoding: %s is given the text as it is', async (encoding) => {
  const { headers, bytes } = await ask('GET', '/external-sources', { 'accept-encoding': encoding });
  expect(headers).not.toHaveProperty('content-encoding');
  expect(JSON.parse(bytes.toString()).data.length).toBeGreaterThan(0);
});

const post = (path: string, body: string) =>
  ask('POST', path, { ...session(), 'content-type': 'application/json' }, body).then(({ status, bytes }) => ({
    status,
    error: JSON.parse(bytes.toString()).error as { code: string; message: string },
  }));

test.each([
  ['a bidirectional override', 'evil\u202egpj.exe'],
  ['a control character', 'a\u0007b'],
])('a name with %s is refused', async (_, name) => {
  const { status, error } = await post('/api-keys', JSON.stringify({ name }));
  expect({ status, code: error.code }).toEqual({ status: 422, code: 'validation_error' });
  expect(error.message).toContain('name');
});

test.each(['/api-keys', '/webhooks'])('half a character in a body of %s is not accepted as JSON', async (path) => {
  const { status, error } = await post(path, '{"name": "\\ud83d", "url": "https://example.com/\\ud83d"}');
  expect({ status, code: error.code }).toEqual({ status: 400, code: 'invalid_json' });
});
