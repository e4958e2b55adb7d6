import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { newSecret, sign, signedHeaders, verifySignature } from '#shared/webhooks/signing.ts';

const ID = '019303a0-5c1e-7c3e-9b0f-0a1b2c3d4e5f';
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

describe('signing', () => {
  it('makes secrets of 32 random bytes', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });

  it('signs the string of the scheme', () => {
    // Computed with: printf %s 'id.1.{}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:00…00 -binary | base64
    const zeros = `whsec_${Buffer.alloc(32).toString('base64')}`;
    expect(sign(zeros, 'id', 1, bytes('{}'))).toBe('v1,N4fbcxeXySTqgU5jBARZYZ9FtZCU8v2kuXqbrIx+RWg=');
  });

  it('is accepted by the standardwebhooks package', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const secret = newSecret();
        const body = JSON.stringify({ text });
        const headers = signedHeaders(secret, ID, nowSeconds(), bytes(body));
        expect(new Webhook(secret).verify(body, headers)).toEqual({ text });
        expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow();
      }),
    );
  });

  it('accepts what the standardwebhooks package signs', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        const secret = newSecret();
        const at = new Date();
        const seconds = Math.floor(at.getTime() / 1000);
        const headers = {
          'webhook-id': ID,
          'webhook-timestamp': String(seconds),
          'webhook-signature': new Webhook(secret).sign(ID, at, text),
        };
        expect(verifySignature(secret, { headers, body: bytes(text) }, seconds)).toBe(true);
      }),
    );
  });

  it('refuses one changed byte, another id, another secret', () => {
    const secret = newSecret();
    const body = bytes('{"a":1}');
    const headers = signedHeaders(secret, ID, 1_000, body);
    const verify = (change: object, sent: Uint8Array = body, with_ = secret) =>
      verifySignature(with_, { headers: { ...headers, ...change }, body: sent }, 1_000);
    expect(verify({})).toBe(true);
    expect(verify({}, bytes('{"a":2}'))).toBe(false);
    expect(verify({}, bytes('{"a": 1}'))).toBe(false);
    expect(verify({}, body, newSecret())).toBe(false);
    expect(verify({ 'webhook-id': `${ID}x` })).toBe(false);
    expect(verify({ 'webhook-timestamp': '1001' })).toBe(false);
    for (const signature of [undefined, '', 'v1,', 'v1', 'v2,AAAA', headers['webhook-signature']!.slice(3)])
      expect(verify({ 'webhook-signature': signature })).toBe(false);
    for (const timestamp of [undefined, '', '1e3', '-1', '1000.5', 'NaN'])
      expect(verify({ 'webhook-timestamp': timestamp })).toBe(false);
  });

  it('finds its signature among several', () => {
    const secret = newSecret();
    const headers = signedHeaders(secret, ID, 1_000, bytes('x'));
    const several = `v1,AAAA v2,BBBB ${headers['webhook-signature']}`;
    expect(
      verifySignature(secret, { headers: { ...headers, 'webhook-signature': several }, body: bytes('x') }, 1_000),
    ).toBe(true);
  });

  it('refuses a timestamp more than 300 seconds off', () => {
    const secret = newSecret();
    const received = { headers: signedHeaders(secret, ID, 10_000, bytes('x')), body: bytes('x') };
    expect([9_699, 9_700, 10_300, 10_301].map((now) => verifySignature(secret, received, now))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
