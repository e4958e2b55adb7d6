import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startTinyStack, type TinyStack } from './tiny-stack.ts';

let stack: TinyStack;
beforeAll(async () => {
  stack = await startTinyStack();
}, 60_000);
afterAll(() => stack.close());

interface Echo {
  event: Record<string, unknown> & { requestContext: Record<string, unknown> & { http: Record<string, unknown> } };
  invocations: number;
  remainingMs: number;
  env: Record<string, string>;
}

const get = (path: string, init: RequestInit = {}) => fetch(`${stack.apiUrl}${path}`, init);
const echo = async (path: string, init: RequestInit = {}) => (await (await get(path, init)).json()) as Echo;

/** Sends bytes unchanged: `fetch` normalizes paths, cookies and repeated headers. */
const raw = (path: string, headers: string[], method = 'GET'): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const call = request(stack.apiUrl, { method, path, headers: ['host', 'api.test:80', ...headers] }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
    });
    call.on('error', reject);
    call.end();
  });

describe('routes', () => {
  test.each([
    ['/items/fixed', 'GET /items/fixed', undefined],
    ['/items/7', 'GET /items/{id}', { id: '7' }],
    ['/items/7/parts', 'GET /items/{id}/{part}', { id: '7', part: 'parts' }],
    // Decoded before the match: two segments.
    ['/items/a%2Fb', 'GET /items/{id}/{part}', { id: 'a', part: 'b' }],
    ['/items/a%20%C3%B1', 'GET /items/{id}', { id: 'a ñ' }],
  ])('%s → %s', async (path, routeKey, pathParameters) => {
    const { event } = await echo(path);
    expect(event).toMatchObject({ routeKey, rawPath: decodeURIComponent(path) });
    expect(event.pathParameters).toEqual(pathParameters);
  });

  test('each method has its own route', async () => {
    expect((await echo('/items/7', { method: 'POST' })).event.routeKey).toBe('POST /items/{id}');
  });

  test('anything else reaches $default', async () => {
    for (const [path, method] of [
      ['/items/7', 'DELETE'],
      ['/items/7', 'OPTIONS'],
      ['/items/', 'GET'],
      ['/items/7/a/b', 'GET'],
    ] as const)
      expect(await (await get(path, { method })).text()).toBe(`no ${path} ($default)`);
    const response = await get('/nowhere');
    expect([response.status, await response.text()]).toEqual([404, 'no /nowhere ($default)']);
    expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  });
});

describe('events', () => {
  test('payload 2.0: absent parts are left out', async () => {
    const { event } = await echo('/items/fixed');
    expect(event).toMatchObject({ version: '2.0', rawQueryString: '', isBase64Encoded: false });
    for (const absent of ['cookies', 'queryStringParameters', 'pathParameters', 'body'])
      expect(event).not.toHaveProperty(absent);
    expect(event.requestContext).toMatchObject({
      accountId: '000000000000',
      routeKey: 'GET /items/fixed',
      stage: '$default',
      timeEpoch: expect.any(Number),
      time: expect.stringMatching(/^\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000$/),
      http: { method: 'GET', path: '/items/fixed', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1' },
    });
  });

  test('query: decoded and joined, next to the raw one', async () => {
    const { event } = await echo('/items/fixed?a=1&a=%C3%B1+o&b=');
    expect(event.rawQueryString).toBe('a=1&a=%C3%B1+o&b=');
    expect(event.queryStringParameters).toEqual({ a: '1,ñ o', b: '' });
  });

  test('headers: lower case, joined; cookies apart', async () => {
    const { body } = await raw('/items/fixed', ['X-One', '1', 'x-one', '2', 'Cookie', 'a=1; b=2', 'cookie', 'c=3']);
    const { event } = JSON.parse(body) as Echo;
    expect(event.headers).toMatchObject({ host: 'api.test:80', 'x-one': '1,2', 'x-forwarded-proto': 'http' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.cookies).toEqual(['a=1', 'b=2', 'c=3']);
  });

  test.each([
    ['application/json', false],
    ['application/json; charset=utf-8', false],
    ['application/problem+json', false],
    ['text/csv', false],
    ['application/x-www-form-urlencoded', true],
    ['application/octet-stream', true],
    ['application/jsonl', true],
  ])('body of %s: base64 %s', async (type, isBase64Encoded) => {
    const text = '{"name":"Ñuñoa €"}';
    const { event } = await echo('/items/7', {
      method: 'POST',
      body: Buffer.from(text),
      headers: { 'content-type': type },
    });
    expect(event).toMatchObject({
      isBase64Encoded,
      body: isBase64Encoded ? Buffer.from(text).toString('base64') : text,
    });
  });

  test('the environment is the function’s own, in UTC, and stays warm', async () => {
    const { env, invocations, remainingMs } = await echo('/items/fixed');
    expect(env).toMatchObject({ TZ: 'UTC', AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '128', AWS_REGION: 'us-east-1' });
    expect(env.TABLE_NAME).toContain('tiny-data');
    expect(env.HOME).toBeUndefined();
    expect(remainingMs).toBeGreaterThan(0);
    expect(remainingMs).toBeLessThanOrEqual(10_000);
    expect((await echo('/items/fixed')).invocations).toBe(invocations + 1);
  });
});

describe('answers', () => {
  const mode = (name: string) => get('/items/fixed', { headers: { 'x-mode': name } });
  const gateway = async (response: Response) => [response.status, await response.json()];

  test('cookies: one header each; default content type', async () => {
    const response = await mode('cookies');
    expect(response.status).toBe(201);
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/', 'b=2']);
    expect(response.headers.get('x-one')).toBe('1');
    expect(await response.text()).toBe('ñ');
  });
  test('base64 bodies are bytes', async () => {
    const response = await mode('binary');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 128]);
  });
  test('a value without status is a 200 in JSON', async () => {
    expect(await gateway(await mode('object'))).toEqual([200, { plain: true }]);
    expect(await (await mode('text')).text()).toBe('just text');
    expect((await mode('none')).status).toBe(204);
  });
  test.each(['throw', 'malformed', 'exit'])('%s → 500 in the gateway’s own body', async (name) => {
    expect(await gateway(await mode(name))).toEqual([500, { message: 'Internal Server Error' }]);
    expect((await get('/items/fixed')).status).toBe(200);
  });
  test('a function that never ends is killed at its time-out', async () => {
    expect(await gateway(await get('/slow'))).toEqual([500, { message: 'Internal Server Error' }]);
    expect(stack.logText('slow')).toContain('Task timed out after 1.00 seconds');
    expect(stack.lines('slow')).toEqual([{ slow: 'began' }]);
  });
  test('what is left behind is frozen until the next event', async () => {
    expect(await (await mode('later')).text()).toBe('now');
    expect(stack.lines('echo')).not.toContainEqual({ later: expect.any(Number) });
    await vi.waitFor(async () => {
      await get('/items/fixed');
      expect(stack.lines('echo')).toContainEqual({ later: expect.any(Number) });
    }, 10_000);
  });
});

describe('what the gateway refuses', () => {
  test('headers above 10,240 bytes: 431', async () => {
    const { status, body } = await raw('/items/fixed', ['x-long', 'a'.repeat(10_240)]);
    expect([status, JSON.parse(body)]).toEqual([431, { message: 'Request Header Fields Too Large' }]);
    expect((await raw('/items/fixed', ['x-long', 'a'.repeat(100_000)])).status).toBe(431);
    expect((await raw('/items/fixed', ['x-long', 'a'.repeat(10_000)])).status).toBe(200);
  });
  test('bodies above what Lambda and the gateway take: 413', async () => {
    for (const megabytes of [7, 11]) {
      const body = 'a'.repeat(megabytes * 1024 * 1024);
      const response = await get('/items/7', { method: 'POST', body, headers: { 'content-type': 'text/plain' } });
      expect([response.status, await response.json()]).toEqual([413, { message: 'Request Entity Too Large' }]);
    }
  });
  test('a path that is no UTF-8: 400', async () => {
    expect((await raw('/items/%E0%A4%A', [])).status).toBe(400);
  });
});
