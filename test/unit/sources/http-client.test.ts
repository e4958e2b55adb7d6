/** The client that all sources share, over real sockets on loopback. */
import { gzipSync } from 'node:zlib';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createHttpClient, type HttpCall } from '#shared/sources/http/client.ts';
import { retryAfterMs, transportFault } from '#shared/sources/http/faults.ts';
import type { JsonObject, SourceSettings } from '#shared/sources/source.ts';
import { createClock, createIo, NOW_MS } from './ask.ts';

const HOSTS = { auth: 'https://auth.example.cl', apps: 'https://apps.example.cl' };
let server: FastifyInstance;
let url: string;
const seen: { method: string; url: string; cookie: string | undefined; body: unknown; type: string | undefined }[] = [];

beforeAll(async () => {
  server = fastify({ forceCloseConnections: true });
  server.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => done(null, body));
  server.addHook('preHandler', async (request) => {
    const { cookie, 'content-type': type } = request.headers;
    seen.push({ method: request.method, url: request.url, cookie, body: request.body, type });
  });
  server.all('/echo', (_request, reply) => reply.send('ok'));
  server.all('/base/echo', (_request, reply) => reply.send('below a prefix'));
  server.all('/to', (request, reply) => {
    const { location, status, cookie } = request.query as { location: string; status?: string; cookie?: string };
    if (cookie) reply.header('set-cookie', cookie);
    return reply.redirect(location, Number(status ?? 302));
  });
  server.get('/lost', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(302, { location: 'http://[bad' }).end();
  });
  server.get('/circle', (_request, reply) => reply.redirect('/circle', 302));
  server.get('/set', (request, reply) =>
    reply.header('set-cookie', (request.query as { cookie: string[] }).cookie).send('set'),
  );
  server.get('/latin1', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(Buffer.from('ñandú', 'latin1')),
  );
  server.get('/large', (_request, reply) => reply.send('x'.repeat(5000)));
  server.get('/packed', (_request, reply) =>
    reply.header('content-encoding', 'gzip').send(gzipSync('packed '.repeat(100))),
  );
  server.get('/status', (request, reply) => {
    const { code, after } = request.query as { code: string; after?: string };
    if (after) reply.header('retry-after', after);
    return reply.code(Number(code)).send('refused');
  });
  server.get('/never', () => new Promise(() => {}));
  server.get('/cut', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': 100 });
    reply.raw.write('half', () => reply.raw.destroy());
  });
  url = await server.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

interface Options {
  baseUrl?: string;
  hosts?: Record<string, string>;
  settings?: Partial<SourceSettings>;
  cookies?: JsonObject;
  signal?: AbortSignal;
}

const clientOf = ({ baseUrl = url, hosts = HOSTS, settings, cookies, signal }: Options = {}) => {
  seen.length = 0;
  const clock = createClock();
  const client = createHttpClient({ hosts, io: createIo(baseUrl, clock, settings, signal), cookies });
  return { client, clock };
};

const call = (path: string, more: Partial<HttpCall> = {}, options: Options = {}) =>
  clientOf(options).client.call({ what: 'call', url: `https://apps.example.cl${path}`, ...more });

const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe('addresses', () => {
  test('a base URL serves every host, also with its own path', async () => {
    expect((await call('/echo')).text()).toBe('ok');
    expect((await call('/echo', {}, { baseUrl: `${url}/base/` })).text()).toBe('below a prefix');
  });

  test.each([
    ['relative', '/echo'],
    ['absolute, of another host of the institution', 'https://auth.example.cl/echo'],
    ['absolute, of the server that stands in', 'BASE/echo'],
  ])('a redirect %s is followed', async (_what, location) => {
    const target = location.replace('BASE', url);
    const answer = await call(`/to?location=${encodeURIComponent(target)}`);
    expect(answer.text()).toBe('ok');
    expect(answer.visited).toHaveLength(2);
    expect(answer.visited[1]).toMatch(/^https:\/\/(?:apps|auth)\.example\.cl\/echo$/);
  });

  test('a redirect to another host is reported and not followed', async () => {
    for (const baseUrl of [url, `${url}/`]) {
      const answer = await call('/to?location=https%3A%2F%2Fwww.example.com%2Fayudas%2F900.html', {}, { baseUrl });
      expect(answer.status).toBe(302);
      expect(answer.visited.at(-1)).toBe('https://www.example.com/ayudas/900.html');
    }
    expect(seen).toHaveLength(1);
  });

  test('without a base URL the hosts are themselves', async () => {
    const { client } = clientOf({ hosts: { only: url } });
    const own = createHttpClient({ hosts: { only: url }, io: createIo(undefined) });
    expect((await own.call({ what: 'call', url: `${url}/to?location=/echo` })).text()).toBe('ok');
    await own.close();
    await client.close();
  });

  test('after 302 and 303 with GET and no body, after 307 as it was', async () => {
    const post = { method: 'POST', body: 'a=1', headers: { 'content-type': 'text/plain' } } as const;
    for (const [status, method] of [
      ['302', 'GET'],
      ['303', 'GET'],
      ['307', 'POST'],
    ] as const) {
      await call(`/to?location=/echo&status=${status}`, post);
      expect(seen.at(-1)).toMatchObject({ url: '/echo', method });
      expect(seen.at(-1)?.body).toBe(method === 'GET' ? undefined : 'a=1');
      expect(seen.at(-1)?.type).toBe(method === 'GET' ? undefined : 'text/plain');
    }
  });

  test('a circle of redirects ends', async () => {
    expect(await failureOf(call('/circle'))).toMatchObject({ code: 'source.unexpected_response' });
    expect(seen).toHaveLength(11);
  });
});

describe('cookies', () => {
  const set = (...cookies: string[]) => `/set?${cookies.map((c) => `cookie=${encodeURIComponent(c)}`).join('&')}`;

  test('go to every host over a base URL, with any attributes', async () => {
    const { client } = clientOf();
    await client.call({
      what: 'set',
      url: `https://auth.example.cl${set('A=1; Domain=.example.cl; Secure', 'B=2; Path=/; HttpOnly', 'C=3')}`,
    });
    await client.call({ what: 'echo', url: 'https://apps.example.cl/echo' });
    expect(seen.at(-1)?.cookie?.split('; ').toSorted()).toEqual(['A=1', 'B=2', 'C=3']);
    expect([client.cookies.value('A'), client.cookies.value('Z')]).toEqual(['1', undefined]);
  });

  test('are stored at every step of a redirect', async () => {
    const { client } = clientOf();
    const cookie = encodeURIComponent('TOKEN=abc; Domain=.example.cl; Secure; Path=/');
    await client.call({ what: 'call', url: `https://auth.example.cl/to?location=/echo&cookie=${cookie}` });
    expect(seen.at(-1)?.cookie).toBe('TOKEN=abc');
  });

  test('survive as plain JSON, and can be taken away', async () => {
    const { client } = clientOf();
    await client.call({ what: 'set', url: `https://auth.example.cl${set('A=1; Path=/', 'B=2; Path=/')}` });
    const saved = JSON.parse(JSON.stringify(client.cookies.toJson()));
    const { client: other } = clientOf({ cookies: saved });
    await other.call({ what: 'set', url: `https://apps.example.cl${set('A=; Path=/; Max-Age=0', 'B=3; Path=/')}` });
    await other.call({ what: 'echo', url: 'https://apps.example.cl/echo' });
    expect(seen.at(-1)?.cookie).toBe('B=3');
  });

  test('are the same after they were sent: a session that was only used is not stored again', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const { client } = clientOf();
    await client.call({ what: 'set', url: `https://auth.example.cl${set('A=1; Path=/')}` });
    const saved = client.cookies.toJson();
    vi.setSystemTime(Date.now() + 60_000);
    await client.call({ what: 'echo', url: 'https://apps.example.cl/echo' });
    expect(seen.at(-1)?.cookie).toBe('A=1');
    expect(client.cookies.toJson()).toEqual(saved);
    vi.useRealTimers();
  });
});

describe('answers', () => {
  test('are read as UTF-8, else as ISO-8859-1, regardless of the header', async () => {
    expect((await call('/latin1')).text()).toBe('ñandú');
  });

  test('are unpacked and limited, packed or not', async () => {
    expect((await call('/packed')).text()).toBe('packed '.repeat(100));
    for (const path of ['/large', '/packed']) {
      expect(await failureOf(call(path, { bodyBytesMax: 300 }))).toMatchObject({ code: 'source.unexpected_response' });
    }
  });

  test.each([
    ['429', undefined, 'source.rate_limited', undefined],
    ['429', '7', 'source.rate_limited', 7000],
    ['429', new Date(NOW_MS + 30_000).toUTCString(), 'source.rate_limited', 30_000],
    ['500', undefined, 'source.unavailable', undefined],
    ['503', '120', 'source.unavailable', 120_000],
  ])('status %s, Retry-After %s', async (code, after, expected, waitMs) => {
    const query = new URLSearchParams({ code, ...(after ? { after } : {}) });
    const failure = await failureOf(call(`/status?${query}`));
    expect(failure).toMatchObject({ name: 'SourceError', code: expected, retryAfterMs: waitMs });
    expect((await call(`/status?${query}`, { anyStatus: true })).status).toBe(Number(code));
  });

  test('other statuses are left to the source', async () => {
    expect((await call('/status?code=404')).status).toBe(404);
  });

  test('a Retry-After of many digits is not ignored', () =>
    expect(retryAfterMs('99999999', NOW_MS)).toBe(99_999_999_000));

  test('an unreadable Retry-After is ignored', () => expect(retryAfterMs('soon', NOW_MS)).toBeUndefined());
});

describe('faults', () => {
  test('no answer in time', async () => {
    expect(await failureOf(call('/never', { timeoutMs: 60 }))).toMatchObject({ code: 'source.timeout' });
  });

  test('nobody there, and a connection cut in a body', async () => {
    const nobody = call('/echo', {}, { baseUrl: 'http://127.0.0.1:1' });
    expect(await failureOf(nobody)).toMatchObject({ code: 'source.unavailable' });
    expect(await failureOf(call('/cut'))).toMatchObject({ code: 'source.unavailable' });
  });

  test('a redirect that cannot be read is an answer that cannot', async () => {
    expect(await failureOf(call('/lost'))).toMatchObject({
      code: 'source.unexpected_response',
      message: 'call: the redirect cannot be read',
    });
  });

  test('a fault of ours is not one of the institution', async () => {
    const bug = new TypeError('x is not a function');
    const io = createIo(url);
    const withBug = {
      ...io,
      redactor: {
        ...io.redactor,
        withoutCredentials: () => {
          throw bug;
        },
      },
    };
    const client = createHttpClient({ hosts: HOSTS, io: withBug });
    expect(await failureOf(client.call({ what: 'call', url: 'https://apps.example.cl/echo' }))).toBe(bug);
    expect(await failureOf(call('/echo', { headers: { 'x-odd': 'a\nb' } }))).toMatchObject({
      code: 'ERR_INVALID_CHAR',
    });
  });

  test.each([
    ['ECONNRESET', 'source.unavailable'],
    ['EAI_AGAIN', 'source.unavailable'],
    ['ANSWER_CUT', 'source.unavailable'],
    ['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'source.unavailable'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'source.unavailable'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'source.unavailable'],
    ['ETIMEDOUT', 'source.timeout'],
    ['ERR_INVALID_URL', 'ERR_INVALID_URL'],
    ['ERR_INVALID_ARG_TYPE', 'ERR_INVALID_ARG_TYPE'],
  ])('%s: %s', (code, expected) => {
    expect(transportFault('call', Object.assign(new Error('x'), { code }))).toMatchObject({ code: expected });
  });

  test("the engine's stop is thrown as it is", async () => {
    const controller = new AbortController();
    const running = call('/never', {}, { signal: controller.signal });
    controller.abort(new Error('out of time'));
    expect(await failureOf(running)).toMatchObject({ message: 'out of time', name: 'Error' });
  });
});

describe('pace', () => {
  const pace = { callDelayMs: 2_000, callsMax: 3, windowMs: 60_000 };

  test('each call waits for its turn; the redirects of one follow at once', async () => {
    const { client, clock } = clientOf({ settings: { pace } });
    for (let i = 0; i < 2; i++) await client.call({ what: 'echo', url: 'https://apps.example.cl/to?location=/echo' });
    expect(clock.waits).toEqual([2_000]);
  });

  test('a client names the wire whose turns it takes', async () => {
    const turns: string[] = [];
    const io = { ...createIo(url), turn: async (wire: string) => void turns.push(wire) };
    for (const wire of [undefined, 'api'])
      await createHttpClient({ hosts: HOSTS, io, ...(wire && { wire }) }).call({
        what: 'echo',
        url: 'https://apps.example.cl/echo',
      });
    expect(turns).toEqual(['calls', 'api']);
  });
});
