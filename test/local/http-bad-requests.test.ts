/** Bytes that no client library would send: the gateway answers each itself, or passes it on unchanged. */
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTinyStack, type TinyStack } from './tiny-stack.ts';

let stack: TinyStack;
beforeAll(async () => {
  stack = await startTinyStack();
}, 60_000);
afterAll(() => stack.close());

/** What the server sends until it closes the connection: a request that it leaves open ends at the test's time-out. */
const say = (bytes: string | Buffer): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(stack.apiUrl);
    const chunks: Buffer[] = [];
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      const text = Buffer.concat(chunks).toString();
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), body: rest.join('\r\n\r\n') });
    });
  });

const CLOSE = 'host: api.test\r\nconnection: close\r\n';
const lines = (start: string, headers = CLOSE, body = '') => `${start} HTTP/1.1\r\n${headers}\r\n${body}`;
const post = (headers: string, body: string) => lines('POST /items/7', `${CLOSE}${headers}`, body);

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['a TLS greeting', Buffer.from([0x16, 3, 1, 2, 0, 1, 0, 1, 0xfc, 3, 3])],
  ['an unknown method', lines('FOO /items/7')],
  ['a method in lower case', lines('get /items/7')],
  ['no path', lines('GET ')],
  ['the name of a server for a path', lines('GET evil.example:80')],
  ['a tunnel', lines('CONNECT evil.example:80')],
  ['no host', lines('GET /items/7', 'connection: close\r\n')],
  ['line feeds alone', 'GET /items/7 HTTP/1.1\nhost: x\n\n'],
  ['a folded header', lines('GET /items/7', `${CLOSE}x-a: b\r\n c\r\n`)],
  ['a blank before the colon', lines('GET /items/7', `${CLOSE}x-a : b\r\n`)],
  ['a control character in the path', lines('GET /items/\u0001')],
  ['bytes above ASCII in the path', Buffer.from(lines('GET /items/ñ'))],
  ['%zz', lines('GET /items/%zz')],
  ['% alone', lines('GET /items/%')],
  ['an overlong form', lines('GET /items/%C0%AF')],
  ['half a surrogate pair', lines('GET /items/%ED%A0%80')],
  ['two lengths', post('content-length: 3\r\ncontent-length: 2\r\n', '{}')],
  ['a length and chunks', post('content-length: 3\r\ntransfer-encoding: chunked\r\n', '2\r\n{}\r\n0\r\n\r\n')],
  ['a length below zero', post('content-length: -1\r\n', '{}')],
  ['a chunk without size', post('transfer-encoding: chunked\r\n', 'zz\r\n{}\r\n0\r\n\r\n')],
  ['an unknown transfer encoding', post('transfer-encoding: gzip\r\n', '{}')],
])('%s: 400', async (_, bytes) => {
  const { status, body } = await say(bytes);
  expect([status, JSON.parse(body)]).toEqual([400, { message: 'Bad Request' }]);
});

test('headers and cookies above 10,240 bytes: 431', async () => {
  for (const headers of [`cookie: a=${'x'.repeat(11_000)}\r\n`, 'x-a: 1\r\n'.repeat(2_000)]) {
    const { status, body } = await say(lines('GET /items/7', CLOSE + headers));
    expect([status, JSON.parse(body)]).toEqual([431, { message: 'Request Header Fields Too Large' }]);
  }
});

const rawPath = async (bytes: string): Promise<string> => {
  const { status, body } = await say(bytes);
  expect(status).toBe(200);
  return (JSON.parse(body) as { event: { rawPath: string } }).event.rawPath;
};

test.each([
  ['/items/%00', '/items/\u0000'],
  ['/items/%0d%0aset-cookie:a=b', '/items/\r\nset-cookie:a=b'],
  [`/items/${'x'.repeat(9_900)}`, `/items/${'x'.repeat(9_900)}`],
  // A request as to a proxy.
  ['http://api.test/items/7?x=%zz', '/items/7'],
])('%s arrives', async (sent, arrived) => {
  expect(await rawPath(lines(`GET ${sent}`))).toBe(arrived);
});

test.each([
  ['300 headers', lines('GET /items/7', CLOSE + Array.from({ length: 300 }, (_, at) => `x-${at}: v\r\n`).join(''))],
  ['a body on GET', lines('GET /items/7', `${CLOSE}content-length: 1\r\n`, '{')],
  ['an expectation that nobody knows', lines('GET /items/7', `${CLOSE}expect: wonders\r\n`)],
  ['a change to another protocol', lines('GET /items/7', 'host: x\r\nconnection: upgrade, close\r\nupgrade: h2c\r\n')],
])('%s changes nothing', async (_, bytes) => {
  expect(await rawPath(bytes)).toBe('/items/7');
});

test('chunks arrive as one body', async () => {
  const chunks = 'content-type: application/json\r\ntransfer-encoding: chunked\r\n';
  const { status, body } = await say(post(chunks, '5\r\n{"a":\r\n2\r\n1}\r\n0\r\nx-trailer: 1\r\n\r\n'));
  expect([status, JSON.parse(body).event.body]).toEqual([200, '{"a":1}']);
});

test('a client that goes away in the middle of its body harms nobody', async () => {
  const { hostname, port } = new URL(stack.apiUrl);
  const socket = connect(Number(port), hostname);
  const start = `POST /items/7 HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"na`;
  await new Promise((resolve) => socket.write(start, resolve));
  await new Promise((resolve) => socket.once('close', resolve).resetAndDestroy());
  expect(await rawPath(lines('GET /items/7'))).toBe('/items/7');
});
