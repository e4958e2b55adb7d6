import { describe, expect, test } from 'vitest';
import { parseKeySet, readPublishedKeys } from '#shared/agents/client-keys.rules.ts';

const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y', kid: 'one', use: 'sig' };
const URL = 'https://client.test/jwks.json?v=1';
const DEPLOYED = { isLoopbackAllowed: false };
const ALL = ['ES256', 'RS256', 'PS256'];

describe('published keys', () => {
  test('are in the document, or at the address that it names', () => {
    const set = { keys: [KEY] };
    expect(readPublishedKeys({ jwks_uri: URL }, DEPLOYED)).toEqual({ keys: { from: { url: URL }, algorithms: ALL } });
    for (const other of [undefined, null, URL])
      expect(readPublishedKeys({ jwks: set, jwks_uri: other }, DEPLOYED)).toEqual({
        keys: { from: { set }, algorithms: ALL },
      });
  });

  test.each(ALL)('sign only by %s if the document says so', (algorithm) => {
    const document = { jwks: null, jwks_uri: URL, token_endpoint_auth_signing_alg: algorithm };
    expect(readPublishedKeys(document, DEPLOYED).keys?.algorithms).toEqual([algorithm]);
  });

  test.each([
    [{}, 'jwks_uri'],
    [{ jwks: null, jwks_uri: null }, 'jwks_uri'],
    [{ jwks_uri: 'jwks.json' }, 'jwks_uri'],
    [{ jwks_uri: 'http://client.test/jwks.json' }, 'jwks_uri'],
    [{ jwks_uri: 'http://127.0.0.1:4000/jwks.json' }, 'jwks_uri'],
    [{ jwks: {}, jwks_uri: URL }, 'jwks is not'],
    [{ jwks_uri: URL, token_endpoint_auth_signing_alg: 'HS256' }, 'token_endpoint_auth_signing_alg'],
    [{ jwks_uri: URL, token_endpoint_auth_signing_alg: 'none' }, 'token_endpoint_auth_signing_alg'],
  ])('are none with %j, and the finding says why', (document, named) => {
    expect(readPublishedKeys(document, DEPLOYED)).toEqual({ finding: expect.stringContaining(named) });
  });

  test('may be on this computer only on the local stage', () => {
    const read = (url: string) => readPublishedKeys({ jwks_uri: url }, { isLoopbackAllowed: true });
    expect(read('http://127.0.0.1:4000/jwks.json').keys).toBeDefined();
    expect(read('http://127.0.0.2:4000/jwks.json').finding).toBeDefined();
    expect(read('ftp://127.0.0.1/jwks.json').finding).toBeDefined();
  });
});

test('a key set has public keys only', () => {
  const keys = (...list: object[]) => JSON.stringify({ keys: list });
  expect(parseKeySet(keys(KEY, { kty: 'OKP', x: 'x' }))).toEqual({ keys: [KEY, { kty: 'OKP', x: 'x' }] });
  for (const text of ['', '{', 'null', '[]', '{}', keys(), '{"keys":{}}', '{"keys":["x"]}', keys({ kid: 'no kty' })])
    expect(parseKeySet(text)).toBeUndefined();
  for (const lost of [{ d: 'private' }, { kty: 'oct', k: 'c2VjcmV0' }])
    expect(parseKeySet(keys(KEY, { ...KEY, ...lost }))).toBeUndefined();
  expect(parseKeySet(keys(...Array.from({ length: 51 }, () => KEY)))).toBeUndefined();
});
