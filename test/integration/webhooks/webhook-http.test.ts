import { randomBytes } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { LookupFunction, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { type AttemptOptions, attemptWebhook } from '#shared/webhooks/http-attempt.ts';
import { type Receiver, startRawReceiver, startReceiver } from './receiver.ts';

const LOCAL: AttemptOptions = { policy: { isLoopbackHttpAllowed: true } };
const HURRIED: AttemptOptions = { ...LOCAL, attemptMs: 250 };
/** For tests in which a name must lead to this machine. */
const ANYWHERE: AttemptOptions = { policy: { isLoopbackHttpAllowed: false }, isAllowed: () => true };

const BODY = new TextEncoder().encode('{"type":"sync.succeeded","ñ":"á"}');
const SECRET_TEXT = 'internal-answer-that-nobody-may-read';

const running: Receiver[] = [];
const started = async (receiver: Promise<Receiver>): Promise<Receiver> => {
  running.push(await receiver);
  return running.at(-1)!;
};
const answering = (answer: RequestListener): Promise<Receiver> => started(startReceiver(answer));
const talking = (talk: (socket: Socket) => void, scheme?: string) => started(startRawReceiver(talk, scheme));
const attempt = (url: string, options: AttemptOptions = LOCAL) =>
  attemptWebhook({ url, headers: { 'content-type': 'application/json', 'webhook-id': 'x' }, body: BODY }, options);

afterEach(async () => {
  await Promise.all(running.splice(0).map((receiver) => receiver.stop()));
});

describe('one attempt', () => {
  it('sends the exact bytes on its own connection and closes it', async () => {
    const receiver = await answering((_, response) => response.writeHead(204).end());
    expect(await attempt(receiver.url)).toEqual({ ok: true, status: 204 });
    expect(await attempt(receiver.url)).toEqual({ ok: true, status: 204 });
    expect(receiver.connections()).toBe(2);
    const [first] = receiver.received;
    expect(first).toMatchObject({ method: 'POST', path: '/hook?from=test', body: Buffer.from(BODY) });
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(BODY.length),
      'webhook-id': 'x',
      connection: 'close',
      accept: '*/*',
      host: `127.0.0.1:${receiver.port}`,
    });
  });

  it.each([200, 201, 202, 299])('is delivered by %i', async (status) => {
    const receiver = await answering((_, response) => response.writeHead(status).end('thanks'));
    expect(await attempt(receiver.url)).toEqual({ ok: true, status });
  });

  it.each([400, 404, 410, 429, 500, 503])('fails by %i', async (status) => {
    const receiver = await answering((_, response) =>
      response.writeHead(status, { 'retry-after': '1' }).end(SECRET_TEXT),
    );
    expect(await attempt(receiver.url)).toEqual({ ok: false, failure: 'http', status, error: `answered ${status}` });
  });

  it.each([301, 302, 303, 307, 308])('does not follow %i', async (status) => {
    const other = await answering((_, response) => response.end());
    const receiver = await answering((_, response) => response.writeHead(status, { location: other.url }).end());
    const error = `answered ${status} (redirects are not followed)`;
    expect(await attempt(receiver.url)).toEqual({ ok: false, failure: 'http', status, error });
    expect(other.connections()).toBe(0);
  });

  it('takes no proxy from the environment', async () => {
    const proxy = await answering((_, response) => response.end());
    const receiver = await answering((_, response) => response.writeHead(204).end());
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'];
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await attempt(receiver.url)).toEqual({ ok: true, status: 204 });
    } finally {
      for (const name of names) delete process.env[name];
    }
    expect(proxy.connections()).toBe(0);
  });
});

describe('a receiver that takes its time', () => {
  it('never answers: the attempt ends by its time', async () => {
    const receiver = await answering(() => {});
    const error = 'no answer within 0.25 s';
    expect(await attempt(receiver.url, HURRIED)).toEqual({ ok: false, failure: 'timeout', status: null, error });
  });

  it('drips its head byte by byte: the attempt ends by its time', async () => {
    const receiver = await talking((socket) => {
      const drip = setInterval(() => socket.write('H'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const result = await attempt(receiver.url, { ...HURRIED });
    expect(result).toMatchObject({ ok: false, status: null });
    expect(['timeout', 'http']).toContain(result.ok ? '' : result.failure);
  });

  it('drips a valid head for ever: the attempt ends by its time', async () => {
    const receiver = await talking((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('x-more: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    expect(await attempt(receiver.url, HURRIED)).toMatchObject({ ok: false, failure: 'timeout', status: null });
  });

  it('drips its body after the status: the status counts, the time still holds', async () => {
    const receiver = await answering((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('x'), 20);
      response.on('close', () => clearInterval(drip));
    });
    // Long enough for the head to arrive on a busy machine; the body never ends.
    expect(await attempt(receiver.url, { ...LOCAL, attemptMs: 2_000 })).toEqual({ ok: true, status: 200 });
  });

  it('accepts no connection in time', async () => {
    // A name whose lookup never answers: one timeout covers every step of connecting.
    const lookup = (() => {}) as unknown as LookupFunction;
    const result = await attempt('https://name.example/', { ...ANYWHERE, lookup, connectMs: 50 });
    const error = 'no connection within 0.05 s';
    expect(result).toEqual({ ok: false, failure: 'timeout', status: null, error });
  });

  it('accepts the connection and says nothing to the TLS greeting', async () => {
    const receiver = await talking(() => {}, 'https');
    expect(await attempt(receiver.url, { ...ANYWHERE, connectMs: 100 })).toMatchObject({ failure: 'timeout' });
  });
});

describe('a receiver that misbehaves', () => {
  it.each([
    ['answers 10 MB', (_: unknown) => Buffer.alloc(10 * 1024 * 1024, 'x'), {}],
    ['answers a gzip bomb', () => gzipSync(Buffer.alloc(50 * 1024 * 1024)), { 'content-encoding': 'gzip' }],
    ['answers garbage as gzip', () => randomBytes(1_000), { 'content-encoding': 'gzip' }],
  ])('%s: the status counts and the body is thrown away', async (_, body, headers) => {
    const receiver = await answering((__, response) => response.writeHead(200, headers).end(body(null)));
    expect(await attempt(receiver.url)).toEqual({ ok: true, status: 200 });
  });

  it('closes in the middle of its body: the status counts', async () => {
    const receiver = await talking((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'));
    });
    expect(await attempt(receiver.url)).toEqual({ ok: true, status: 200 });
  });

  it('closes in the middle of its head: the status counts', async () => {
    const receiver = await talking((socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-'));
    });
    expect(await attempt(receiver.url)).toEqual({ ok: true, status: 200 });
  });

  it('closes without an answer', async () => {
    const receiver = await talking((socket) => {
      socket.once('data', () => socket.destroy());
    });
    expect(await attempt(receiver.url)).toMatchObject({ ok: false, failure: 'connect', status: null });
  });

  it.each([
    ['no HTTP', `${SECRET_TEXT}\r\n\r\n`, 'the answer is not HTTP (ANSWER_NOT_HTTP)', null],
    ['half a status line', 'HTTP/1.1 2', 'the connection was closed within the answer (ANSWER_CUT)', null],
    ['only 100', 'HTTP/1.1 100 Continue\r\n\r\n', 'the connection was closed before an answer (ANSWER_MISSING)', null],
    [
      'a header of 110 KB',
      `HTTP/1.1 200 OK\r\nx-big: ${SECRET_TEXT.repeat(4_000)}\r\n\r\n`,
      'the headers of the answer are too large (ANSWER_HEAD_TOO_LARGE)',
      200,
    ],
    [
      'headers of 320 KB',
      `HTTP/1.1 200 OK\r\n${`x-big: ${'x'.repeat(10_000)}\r\n`.repeat(32)}\r\n`,
      'the headers of the answer are too large (ANSWER_HEAD_TOO_LARGE)',
      200,
    ],
    [
      'a length that is no number',
      'HTTP/1.1 503 No\r\ncontent-length: -1\r\n\r\n',
      'the content-length of the answer is invalid (ANSWER_LENGTH_INVALID)',
      503,
    ],
    [
      '101',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\n\r\n',
      'the answer changes to another protocol (ANSWER_SWITCHES)',
      101,
    ],
  ])('answers %s: the error names the cause', async (_, answer, error, status) => {
    const receiver = await talking((socket) => {
      socket.once('data', () => socket.end(answer));
    });
    const result = await attempt(receiver.url);
    expect(result).toMatchObject({ ok: false, error, status });
    expect(JSON.stringify(result)).not.toContain(SECRET_TEXT);
  });

  it.each([300, 304, 305])('answers %i, which is no redirect', async (status) => {
    const receiver = await answering((_, response) => response.writeHead(status, { location: '/b' }).end());
    const error = `answered ${status}`;
    expect(await attempt(receiver.url)).toEqual({ ok: false, failure: 'http', status, error });
  });

  it('no longer listens', async () => {
    const receiver = await startReceiver(() => {});
    await receiver.stop();
    const error = 'no connection (ECONNREFUSED)';
    expect(await attempt(receiver.url)).toEqual({ ok: false, failure: 'connect', status: null, error });
  });
});

describe('a name', () => {
  const leadingTo = (address: string): LookupFunction =>
    ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
      callback(null, [{ address, family: 4 }])) as unknown as LookupFunction;

  it('that does not resolve', async () => {
    const lookup = ((_: string, __: object, callback: (error: Error, found: object[]) => void) =>
      callback(
        Object.assign(new Error('x'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' }),
        [],
      )) as unknown as LookupFunction;
    const error = 'the name does not resolve (ENOTFOUND)';
    const result = await attempt('https://name.invalid/', { policy: { isLoopbackHttpAllowed: false }, lookup });
    expect(result).toEqual({ ok: false, failure: 'dns', status: null, error });
  });

  it('that had another address at creation and resolves to this machine now is not called', async () => {
    const receiver = await talking(() => {}, 'https');
    const url = `https://rebinding.example:${receiver.port}/`;
    const result = await attempt(url, { policy: { isLoopbackHttpAllowed: true }, lookup: leadingTo('127.0.0.1') });
    expect(result).toEqual({ ok: false, failure: 'blocked', status: null, error: 'destination not allowed' });
    expect(receiver.connections()).toBe(0);
  });

  it('whose peer is not allowed gets no byte, not even of the TLS greeting', async () => {
    const receiver = await talking((socket) => socket.resume(), 'https');
    const result = await attempt(receiver.url, { ...ANYWHERE, isAllowed: () => false });
    expect(result).toMatchObject({ ok: false, failure: 'blocked' });
    await receiver.stop();
    running.length = 0;
    expect(receiver.bytes()).toBe(0);
  });

  it.each([
    'http://127.0.0.1:1/',
    'https://127.0.0.1:1/',
    'https://[::ffff:10.0.0.1]/',
    'https://0x7f.1/',
    'https://10.0.0.1/',
  ])('or address that is forbidden is blocked: %s', async (url) => {
    const result = await attempt(url, { policy: { isLoopbackHttpAllowed: false } });
    expect(result).toEqual({ ok: false, failure: 'blocked', status: null, error: 'destination not allowed' });
  });
});
