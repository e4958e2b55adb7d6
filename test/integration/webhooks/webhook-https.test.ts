import type { Socket } from 'node:net';
import { getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type AttemptOptions, attemptWebhook } from '#shared/webhooks/http-attempt.ts';
import { expired, notYetValid, selfSigned } from './certificate.ts';
import { type Receiver, startRawReceiver, startReceiver } from './receiver.ts';

/** Names lead to this machine. */
const ANYWHERE: AttemptOptions = { policy: { isLoopbackHttpAllowed: false }, isAllowed: () => true };
const BODY = new TextEncoder().encode('{"type":"sync.succeeded"}');

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
});
