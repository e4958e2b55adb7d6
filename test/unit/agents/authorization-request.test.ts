import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  answerTo,
  consentDigest,
  isResource,
  judgeRequest,
  parseAddressee,
} from '#shared/agents/authorization-request.rules.ts';
import type { Client } from '#shared/agents/client-id.rules.ts';
import { runs } from '#test/helpers/effort.ts';

const ISSUER = 'https://data.example';
const SERVER = { issuer: ISSUER, resource: `${ISSUER}/api/mcp`, appUris: [] };
const REDIRECT = 'https://client.test/cb?tenant=a%20b';
const CLIENT: Client = {
  id: 'https://client.test/c',
  name: 'Agent',
  publisher: 'client.test',
  redirectUris: [REDIRECT, 'http://127.0.0.1/cb'],
  mayRefresh: true,
  auth: null,
  keys: null,
};
const CHALLENGE = createHash('sha256').update('v'.repeat(43)).digest('base64url');

const RIGHT = {
  response_type: 'code',
  client_id: CLIENT.id,
  redirect_uri: REDIRECT,
  code_challenge: CHALLENGE,
  code_challenge_method: 'S256',
  state: 'a b&c=ñ',
};

const rawOf = (parameters: Readonly<Record<string, string | undefined>>): string =>
  new URLSearchParams(
    Object.entries(parameters).filter((each): each is [string, string] => each[1] !== undefined),
  ).toString();

const judged = (changes: Readonly<Record<string, string | undefined>> = {}, behind = '') =>
  judgeRequest(rawOf({ ...RIGHT, ...changes }) + behind, CLIENT, SERVER);

/** The parameters that the client receives, read from the address independently. */
const told = (verdict: ReturnType<typeof judgeRequest>): Record<string, string> => {
  if (verdict.kind !== 'redirect') throw new Error(`no redirect: ${JSON.stringify(verdict)}`);
  const url = new URL(verdict.to);
  expect(`${url.origin}${url.pathname}`).toBe('https://client.test/cb');
  return Object.fromEntries(url.searchParams);
};

describe('the client and the address', () => {
  test('client and address, each once', () => {
    expect(parseAddressee(rawOf(RIGHT))).toEqual({ clientId: CLIENT.id, redirectUri: REDIRECT });
  });

  test.each([
    ['client_id is missing', { client_id: undefined }, ''],
    ['client_id is missing', { client_id: '' }, ''],
    ['redirect_uri is missing', { redirect_uri: undefined }, ''],
    ['client_id must be given once', {}, `&client_id=${CLIENT.id}`],
    ['redirect_uri must be given once', {}, '&redirect_uri=https://evil.test/'],
    ['redirect_uri is none of this client', { redirect_uri: 'https://evil.test/' }, ''],
    ['redirect_uri is none of this client', { redirect_uri: 'javascript:alert(1)' }, ''],
    ['redirect_uri is none of this client', { client_id: 'https://other.test/c' }, ''],
  ])('%s: on the page, with any other errors', (finding, changes, behind) => {
    for (const more of [{}, { response_type: 'token', state: 'x'.repeat(5_000) }])
      expect(judged({ ...more, ...changes }, behind)).toEqual({ kind: 'page', finding });
  });
});

test('an answer to this service itself is on the page, though the client registered it', () => {
  const own = `${ISSUER}/connections`;
  const raw = new URLSearchParams({ client_id: CLIENT.id, redirect_uri: own }).toString();
  expect(judgeRequest(raw, { ...CLIENT, redirectUris: [own] }, SERVER)).toEqual({
    kind: 'page',
    finding: 'redirect_uri is this service',
  });
});

describe('a request that is right', () => {
  const request = {
    clientId: CLIENT.id,
    redirectUri: REDIRECT,
    challenge: CHALLENGE,
    scope: 'data:read',
    resource: SERVER.resource,
    state: 'a b&c=ñ',
  };
  const target = { kind: 'web', host: 'client.test' };

  test.each([
    [{}],
    [{ response_mode: 'query' }],
    [{ scope: 'openid data:read offline_access' }],
    [{ scope: '' }],
    [{ scope: 'openid email profile' }],
    [{ scope: 'mcp:tools' }],
    [{ scope: 'DATA:READ' }],
    [{ resource: SERVER.resource }],
    [{ resource: 'HTTPS://Data.Example/api/mcp' }],
    [{ resource: `${SERVER.resource}/` }],
    [{ nonce: 'unknown parameters are left alone' }],
  ])('%j', (changes) => {
    expect(judged(changes)).toEqual({ kind: 'consent', request, target });
  });

  test('needs no state', () => {
    expect(judged({ state: undefined })).toMatchObject({ kind: 'consent', request: { state: undefined } });
  });

  test('to a program on this computer, at the port that it has now', () => {
    expect(judged({ redirect_uri: 'http://127.0.0.1:4711/cb' })).toMatchObject({
      request: { redirectUri: 'http://127.0.0.1:4711/cb' },
      target: { kind: 'loopback', host: '127.0.0.1:4711' },
    });
  });
});

describe('a finding is sent to the client, with its state and the issuer', () => {
  test.each([
    ['invalid_request', { response_type: undefined }, ''],
    ['unsupported_response_type', { response_type: 'token' }, ''],
    ['unsupported_response_type', { response_type: 'code token' }, ''],
    ['invalid_request', { response_mode: 'fragment' }, ''],
    ['request_not_supported', { request: 'e30.e30.' }, ''],
    ['request_uri_not_supported', { request_uri: 'urn:x' }, ''],
    ['invalid_request', { code_challenge: undefined }, ''],
    ['invalid_request', { code_challenge: 'x'.repeat(42) }, ''],
    ['invalid_request', { code_challenge: `${CHALLENGE}=` }, ''],
    ['invalid_request', { code_challenge_method: undefined }, ''],
    ['invalid_request', { code_challenge_method: 'plain' }, ''],
    ['invalid_target', { resource: 'https://other.example/api/mcp' }, ''],
    ['invalid_target', { resource: `${SERVER.resource}//` }, ''],
    ['invalid_target', { resource: `${SERVER.resource}/?` }, ''],
    ['invalid_target', { resource: `${ISSUER}/API/mcp` }, ''],
    ['invalid_target', { resource: ISSUER }, ''],
    ['invalid_request', {}, '&scope=data:read&scope=data:read'],
    ['invalid_request', {}, '&x=1&x=2'],
  ])('%s: %j%s', (error, changes, behind) => {
    expect(told(judged(changes, behind))).toEqual({
      tenant: 'a b',
      error,
      error_description: expect.stringMatching(/^[\x20-\x7e]+$/),
      state: RIGHT.state,
      iss: ISSUER,
    });
  });

  test.each([
    [{ state: 's'.repeat(4_097) }, ''],
    [{ state: '\ufffd' }, ''],
    [{}, '&state=b'],
  ])('a state that could not come back as it was does not: %#', (changes, behind) => {
    const answer = told(judged(changes, behind));
    expect(answer.error).toBe('invalid_request');
    expect(answer).not.toHaveProperty('state');
  });
});

test('any request goes to the registered address or nowhere, and the state comes back unchanged', () => {
  const value = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 50 }), fc.constantFrom(...Object.values(RIGHT)));
  const name = fc.constantFrom(...Object.keys(RIGHT), 'scope', 'resource', 'request', 'response_mode');
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), fc.boolean(), (pairs, isWhole) => {
      const raw = new URLSearchParams([...(isWhole ? Object.entries(RIGHT) : []), ...pairs]).toString();
      const verdict = judgeRequest(raw, CLIENT, SERVER);
      const states = pairs
        .concat(isWhole ? [['state', RIGHT.state]] : [])
        .filter(([each, sent]) => each === 'state' && sent);
      if (verdict.kind === 'consent')
        expect(verdict.request).toMatchObject({ redirectUri: REDIRECT, clientId: CLIENT.id });
      if (verdict.kind !== 'redirect') return;
      expect(verdict.to.startsWith(`${REDIRECT}&`)).toBe(true);
      const answer = told(verdict);
      expect(answer.iss).toBe(ISSUER);
      if (states.length === 1) expect(answer.state).toBe(states[0]![1]);
    }),
    { numRuns: runs(2_000) },
  );
});

describe('an answer', () => {
  test('keeps the query of the registered address, and says who answers', () => {
    expect(answerTo({ redirectUri: 'https://a.test/cb?x=%20', state: 's' }, { code: 'c' }, ISSUER)).toBe(
      'https://a.test/cb?x=%20&code=c&state=s&iss=https%3A%2F%2Fdata.example',
    );
    expect(answerTo({ redirectUri: 'cursor://a/cb', state: undefined }, { error: 'access_denied' }, ISSUER)).toBe(
      'cursor://a/cb?error=access_denied&iss=https%3A%2F%2Fdata.example',
    );
  });
});

test('the resource is compared letter by letter behind its host', () => {
  expect(isResource(undefined, SERVER.resource)).toBe(true);
  expect(isResource('https://DATA.example/api/mcp', SERVER.resource)).toBe(true);
  expect(isResource('data.example/api/mcp', SERVER.resource)).toBe(false);
  expect(isResource('http://localhost:4400/api/mcp', 'http://127.0.0.1:4400/api/mcp')).toBe(true);
  expect(isResource('http://localhost:4401/api/mcp', 'http://127.0.0.1:4400/api/mcp')).toBe(false);
  expect(isResource('http://localhost:443/api/mcp', 'https://localhost:443/api/mcp')).toBe(false);
});

test('what is allowed is what was shown: the digest differs with query, client, organization and person', () => {
  const asker = { organizationId: 'o', subject: 's' };
  const shown = consentDigest('a=1', CLIENT, asker);
  expect(shown).toMatch(/^[\w-]{43}$/);
  expect(consentDigest('a=1', { ...CLIENT }, { ...asker })).toBe(shown);
  const others = [
    consentDigest('a=2', CLIENT, asker),
    consentDigest('a=1', { ...CLIENT, name: 'Other' }, asker),
    consentDigest('a=1', { ...CLIENT, redirectUris: [REDIRECT] }, asker),
    consentDigest('a=1', CLIENT, { ...asker, organizationId: 'p' }),
    consentDigest('a=1', CLIENT, { ...asker, subject: 't' }),
  ];
  expect(new Set([shown, ...others]).size).toBe(6);
});
