import type { LookupFunction, Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TLSSocket, type TlsOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createConnections } from '#shared/transport/connections.ts';
import { type AttemptOptions, attemptWebhook } from '#shared/webhooks/http-attempt.ts';
import { expired, notYetValid, selfSigned } from './certificate.ts';
import { type Receiver, startRawReceiver, startReceiver } from './receiver.ts';

/** Names lead to this machine. */
const ANYWHERE: AttemptOptions = { policy: { isLoopbackHttpAllowed: false }, isAllowed: () => true };
const BODY = new TextEncoder().encode('{"type":"sync.succeeded"}');

const toLoopback = ((_: string, __: object, callback: (error: null, found: object[]) => void) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }])) as unknown as LookupFunction;

const running: Receiver[] = [];
const started = async (receiver: Promise<Receiver>): Promise<Receiver> => {
  running.push(await receiver);
  return running.at(-1)!;
};
const talking = (talk: (socket: Socket) => void, scheme?: string) => started(startRawReceiver(talk, scheme));
const attempt = (url: string, options: AttemptOptions = ANYWHERE) =>
  attemptWebhook({ url, headers: { 'content-type': 'application/json' }, body: BODY }, options);

afterEach(async () => {
  await Promise.all(running.splice(0).map((receiver) => receiver.stop()));
});

describe('https', () => {
  const trusted = selfSigned('localhost', '127.0.0.1');

  beforeAll(() => {
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
  });

  const securely = (tls: typeof trusted & TlsOptions) =>
    started(startReceiver((_, response) => response.writeHead(200).end(), tls));

  it('delivers to a trusted receiver, by name and by address', async () => {
    const receiver = await securely(trusted);
    expect(await attempt(receiver.url, ANYWHERE)).toEqual({ ok: true, status: 200 });
    expect(await attempt(`https://localhost:${receiver.port}/`, ANYWHERE)).toEqual({ ok: true, status: 200 });
    expect(receiver.received.map(({ body }) => body)).toEqual([Buffer.from(BODY), Buffer.from(BODY)]);
  });

  it.each([
    ['nobody vouches for', selfSigned('localhost', '127.0.0.1'), 'DEPTH_ZERO_SELF_SIGNED_CERT'],
    ['another name has', selfSigned('other.example'), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['is past its time', expired('127.0.0.1'), 'CERT_HAS_EXPIRED'],
    ['is before its time', notYetValid('127.0.0.1'), 'CERT_NOT_YET_VALID'],
  ])('refuses a certificate that %s', async (_, tls, code) => {
    setDefaultCACertificates([...getCACertificates('default'), ...(code.includes('SELF_SIGNED') ? [] : [tls.cert])]);
    const receiver = await securely(tls);
    const result = await attempt(receiver.url, ANYWHERE);
    expect(result).toEqual({ ok: false, failure: 'tls', status: null, error: `TLS failed (${code})` });
    expect(receiver.received).toEqual([]);
  });

  it('fails against a receiver that speaks only TLS 1.1', async () => {
    const receiver = await securely({ ...trusted, minVersion: 'TLSv1', maxVersion: 'TLSv1.1' });
    expect(await attempt(receiver.url, ANYWHERE)).toMatchObject({ ok: false, failure: 'tls', status: null });
    expect(receiver.received).toEqual([]);
  });

  it('fails against a receiver that closes in the middle of the TLS greeting', async () => {
    const receiver = await talking((socket) => socket.once('data', () => socket.destroy()), 'https');
    expect(await attempt(receiver.url, ANYWHERE)).toMatchObject({ ok: false, failure: 'tls', status: null });
  });

  it('fails against a receiver that speaks plain HTTP', async () => {
    const receiver = await talking((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'), 'https');
    expect(await attempt(receiver.url, ANYWHERE)).toMatchObject({ ok: false, failure: 'tls', status: null });
  });

  it.each([
    ['hooks.example.com', 'hooks.example.com', 'hooks.example.com'],
    ['hooks.example.com.', 'hooks.example.com', 'hooks.example.com.'],
    ['HOOKS.Example.COM', 'hooks.example.com', 'hooks.example.com'],
    ['ñandú.example', 'xn--and-6ma2c.example', 'xn--and-6ma2c.example'],
    ['127.0.0.1', false, '127.0.0.1'],
  ])('to %s names the server as a browser does', async (name, servername, host) => {
    const certificate = selfSigned('127.0.0.1', 'hooks.example.com', 'xn--and-6ma2c.example');
    setDefaultCACertificates([...getCACertificates('default'), certificate.cert]);
    const named: unknown[] = [];
    const receiver = await started(
      startReceiver((request, response) => {
        named.push((request.socket as TLSSocket).servername);
        response.end();
      }, certificate),
    );
    const connections = createConnections({ timeoutMs: 5_000, isKept: false, lookup: toLoopback });
    const url = new URL(`https://${name}:${receiver.port}/`);
    const call = { url, method: 'GET', headers: {}, signal: AbortSignal.timeout(5_000) } as const;
    expect(await connections.request(call, async ({ status }) => status)).toBe(200);
    expect([...named, receiver.received[0]?.headers.host]).toEqual([servername, `${host}:${receiver.port}`]);
  });

  it.each([
    ['TLSv1.2', /^the receiver refused the handshake and may demand a client certificate \(ERR_SSL_/],
    ['TLSv1.3', /^the receiver demands a client certificate \(ERR_SSL_/],
  ] as const)('names a receiver that demands a client certificate: %s', async (version, error) => {
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
    const receiver = await securely({ ...trusted, requestCert: true, minVersion: version, maxVersion: version });
    const result = await attempt(receiver.url);
    expect(result).toMatchObject({ ok: false, failure: 'tls', status: null, error: expect.stringMatching(error) });
    expect(receiver.received).toEqual([]);
  });

  it('names a receiver that accepts only HTTP/2', async () => {
    setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);
    const receiver = await securely({ ...trusted, ALPNProtocols: ['h2'] });
    const error = 'the receiver does not accept HTTP/1.1 (ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL)';
    expect(await attempt(receiver.url)).toEqual({ ok: false, failure: 'tls', status: null, error });
  });
});
