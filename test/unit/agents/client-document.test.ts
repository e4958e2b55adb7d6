import { describe, expect, test } from 'vitest';
import { readDocument } from '#shared/agents/client-document.rules.ts';

const POLICY = { appUris: [], isLoopbackAllowed: false };
const DOCUMENT = 'https://client.test/oauth/client.json';

describe('a published document', () => {
  const document = { client_id: DOCUMENT, client_name: 'Agent', redirect_uris: ['https://client.test/cb'] };
  const read = (changes: object) => readDocument(DOCUMENT, JSON.stringify({ ...document, ...changes }), POLICY);

  test('makes a client whose publisher is its host', () => {
    const client = {
      id: DOCUMENT,
      name: 'Agent',
      publisher: 'client.test',
      redirectUris: ['https://client.test/cb'],
      mayRefresh: false,
      auth: null,
      keys: null,
    };
    expect(read({})).toEqual({ client });
    expect(read({ grant_types: ['refresh_token'], token_endpoint_auth_method: 'none', logo_uri: 'x' })).toEqual({
      client: { ...client, mayRefresh: true },
    });
    expect(read({ redirect_uris: ['javascript:1', 'http://localhost/cb'] }).client?.redirectUris).toEqual([
      'http://localhost/cb',
    ]);
  });

  test('of ChatGPT is one of a public client, because it lists none', () => {
    const published = {
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      jwks_uri: 'https://client.test/jwks.json',
      redirect_uris: Array.from({ length: 20 }, (_, n) => `https://client.test/${n}`),
    };
    expect(read(published).client).toMatchObject({
      redirectUris: published.redirect_uris,
      auth: null,
      keys: { from: { url: published.jwks_uri } },
    });
    expect(read({ ...published, jwks_uri: 'ftp://client.test' }).client).toMatchObject({ auth: null, keys: null });
    expect(read({ token_endpoint_auth_method: null, grant_types: null }).client).toMatchObject({ mayRefresh: false });
  });

  test.each([
    [{ client_id: `${DOCUMENT}/` }, 'client_id'],
    [{ client_id: undefined }, 'client_id'],
    [{ client_name: undefined }, 'client_name'],
    [{ client_name: '' }, 'client_name'],
    [{ client_name: '\u200b' }, 'client_name'],
    [{ redirect_uris: [] }, 'redirect_uris'],
    [{ redirect_uris: ['javascript:1'] }, 'redirect_uris'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, n) => `https://client.test/${n}`) }, 'redirect_uris'],
    [{ token_endpoint_auth_method: 'client_secret_post' }, 'token_endpoint_auth_method'],
    [{ token_endpoint_auth_method: 'private_key_jwt' }, 'jwks_uri'],
    [{ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 7 }, 'jwks_uri'],
    [{ token_endpoint_auth_method: 'none', token_endpoint_auth_methods_supported: {} }, 'token_endpoint_auth_methods'],
    [{ grant_types: {} }, 'grant_types'],
  ])('is no client with %j, and says why', (changes, named) => {
    expect(read(changes)).toEqual({ finding: expect.stringContaining(named) });
  });

  test.each(['', '{', 'null', '[]', '<html>'])('%j is no document', (text) => {
    expect(readDocument(DOCUMENT, text, POLICY)).toEqual({ finding: 'it is no JSON object' });
  });

  test('of ChatGPT for one connector, as reports show it, must authenticate by RS256', () => {
    const published = {
      client_uri: 'https://client.test/',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://client.test/oauth/jwks.json',
    };
    expect(read(published).client).toMatchObject({
      auth: 'private_key_jwt',
      keys: { from: { url: published.jwks_uri }, algorithms: ['RS256'] },
    });
  });

  test('that lists private_key_jwt and not none must authenticate', () => {
    const url = 'https://client.test/jwks.json';
    const asked = { auth: 'private_key_jwt', keys: { from: { url }, algorithms: ['ES256', 'RS256', 'PS256'] } };
    expect(read({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: url }).client).toMatchObject(asked);
    const methods = { token_endpoint_auth_method: 'tls_client_auth', token_endpoint_auth_methods_supported: null };
    expect(read({ ...methods, jwks_uri: url }).finding).toContain('neither none nor private_key_jwt');
    const others = { ...methods, token_endpoint_auth_methods_supported: ['tls_client_auth', 'private_key_jwt'] };
    expect(read({ ...others, jwks_uri: url }).client).toMatchObject(asked);
    const only = { token_endpoint_auth_methods_supported: ['private_key_jwt'] };
    expect(read({ ...only, jwks_uri: url }).client).toMatchObject(asked);
    expect(read({ token_endpoint_auth_methods_supported: [] }).client).toMatchObject({ auth: null });
  });
});
