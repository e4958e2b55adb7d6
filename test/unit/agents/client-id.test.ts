import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeRegistration, readClientId, shownName } from '#shared/agents/client-id.rules.ts';
import { runs } from '#test/helpers/effort.ts';

const CURSOR = 'cursor://anysphere.cursor-mcp/oauth/callback';
const POLICY = { appUris: [CURSOR], isLoopbackAllowed: false };
const LOCAL = { ...POLICY, isLoopbackAllowed: true };
const DOCUMENT = 'https://client.test/oauth/metadata.json';

/** Text of any code points, assigned or not. */
const anyText = (maxLength: number) =>
  fc.array(fc.nat(0x10ffff), { maxLength }).map((codes) => String.fromCodePoint(...codes));
const anUrl = fc.stringMatching(/^[a-z0-9.~/?=&-]{0,60}$/).map((rest) => `https://client.test/${rest}`);

const encoded = (value: unknown): string => `dcr1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
const REGISTERED = { name: 'Agent', redirect_uris: ['https://a.test/cb'], refresh: true };

describe('a registration', () => {
  test('becomes an id that says all of it, and reads back as the same client', () => {
    const { client } = judgeRegistration(
      {
        client_name: ' Agent\u202e \n of  ',
        redirect_uris: ['https://a.test/cb', 'http://127.0.0.1/cb', 'javascript:1', CURSOR, 'https://a.test/cb'],
        grant_types: ['authorization_code', 'refresh_token'],
        token_endpoint_auth_method: 'client_secret_basic',
        logo_uri: 'https://a.test/logo.png',
      },
      POLICY,
    );
    expect(client).toEqual({
      id: expect.stringMatching(/^dcr1\.[\w-]+$/),
      name: 'Agent of',
      publisher: null,
      redirectUris: ['https://a.test/cb', 'http://127.0.0.1/cb', CURSOR],
      mayRefresh: true,
      auth: null,
      keys: null,
    });
    expect(readClientId(client!.id, POLICY)).toEqual({ kind: 'registered', client });
  });

  test('without a name or grant types: no name, no refresh tokens', () => {
    const { client } = judgeRegistration({ redirect_uris: ['https://a.test/cb'] }, POLICY);
    expect(client).toMatchObject({ name: '', mayRefresh: false });
    const code = judgeRegistration(
      { redirect_uris: ['https://a.test/cb'], grant_types: ['authorization_code'] },
      POLICY,
    );
    expect(code.client).toEqual(client);
  });

  test('may have 20 addresses, and null for what it leaves out', () => {
    const redirect_uris = Array.from({ length: 20 }, (_, n) => `https://agent.test/callback/${n}`);
    const { client } = judgeRegistration({ redirect_uris, client_name: null, grant_types: null }, POLICY);
    expect(client).toMatchObject({ redirectUris: redirect_uris, name: '', mayRefresh: false });
    expect(readClientId(client!.id, POLICY)).toEqual({ kind: 'registered', client });
  });

  test.each([
    [{ redirect_uris: ['javascript:alert(1)', 'http://evil.test/'] }, 'invalid_redirect_uri'],
    [{ redirect_uris: Array.from({ length: 21 }, (_, n) => `https://a.test/${n}`) }, 'invalid_redirect_uri'],
    [{ redirect_uris: [1, 2].map((n) => `https://a.test/${n}${'x'.repeat(1_500)}`) }, 'invalid_client_metadata'],
    [{ redirect_uris: [] }, 'invalid_client_metadata'],
    [{ redirect_uris: 'https://a.test/cb' }, 'invalid_client_metadata'],
    [{ client_name: 'Agent' }, 'invalid_client_metadata'],
    [{ redirect_uris: ['https://a.test/cb'], client_name: 7 }, 'invalid_client_metadata'],
    [{ redirect_uris: ['https://a.test/cb'], grant_types: 'refresh_token' }, 'invalid_client_metadata'],
    [null, 'invalid_client_metadata'],
    [undefined, 'invalid_client_metadata'],
  ])('%j is %s', (sent, error) => {
    expect(judgeRegistration(sent, POLICY)).toEqual({ error, description: expect.any(String) });
  });

  test('every registration has an id within the limit that reads back unchanged', () => {
    const uri = fc.oneof(anUrl, fc.constant('http://localhost/cb'), fc.string());
    fc.assert(
      fc.property(
        fc.record(
          {
            redirect_uris: fc.array(uri, { maxLength: 25 }),
            client_name: anyText(200),
            grant_types: fc.array(fc.constantFrom('refresh_token', 'authorization_code')),
          },
          { requiredKeys: ['redirect_uris'] },
        ),
        (sent) => {
          const { client } = judgeRegistration(sent, POLICY);
          if (client === undefined) return;
          expect(client.id.length).toBeLessThanOrEqual(4_000);
          expect(sent.redirect_uris).toEqual(expect.arrayContaining([...client.redirectUris]));
          expect(readClientId(client.id, POLICY)).toEqual({ kind: 'registered', client });
        },
      ),
      { numRuns: runs(1_000) },
    );
  });
});

describe('an id that was made elsewhere', () => {
  test.each([
    ['as it is registered', encoded(REGISTERED), true],
    ['another order', encoded({ redirect_uris: REGISTERED.redirect_uris, name: 'Agent', refresh: true }), false],
    ['a blank in the JSON', `dcr1.${Buffer.from(JSON.stringify(REGISTERED, null, 1)).toString('base64url')}`, false],
    ['padding', `${encoded(REGISTERED)}=`, false],
    ['something behind', `${encoded(REGISTERED)}.x`, false],
    ['a further field', encoded({ ...REGISTERED, admin: true }), false],
    ['no address', encoded({ ...REGISTERED, redirect_uris: [] }), false],
    ['21 addresses', encoded({ ...REGISTERED, redirect_uris: Array(21).fill('https://a.test/cb') }), false],
    ['an address twice', encoded({ ...REGISTERED, redirect_uris: Array(2).fill('https://a.test/cb') }), false],
    ['a script as address', encoded({ ...REGISTERED, redirect_uris: ['javascript:1', 'https://a.test/cb'] }), false],
    ['a name that hides letters', encoded({ ...REGISTERED, name: 'Ag\u200bent' }), false],
    ['a name too long', encoded({ ...REGISTERED, name: 'a'.repeat(101) }), false],
    [
      'too long',
      encoded({ ...REGISTERED, redirect_uris: [1, 2].map((n) => `https://a.test/${n}${'x'.repeat(1_500)}`) }),
      false,
    ],
    ['no JSON', `dcr1.${Buffer.from('{').toString('base64url')}`, false],
    ['nothing', 'dcr1.', false],
    ['no prefix', encoded(REGISTERED).slice(5), false],
  ])('%s: known %s', (_, id, isKnown) => {
    expect(readClientId(id, POLICY) !== undefined).toBe(isKnown);
  });

  test('with one letter changed there is no client, or another one whose addresses are also acceptable', () => {
    const id = encoded(REGISTERED);
    fc.assert(
      fc.property(fc.nat(id.length - 1), fc.string({ minLength: 1, maxLength: 1 }), (at, letter) => {
        const edited = id.slice(0, at) + letter + id.slice(at + 1);
        const read = readClientId(edited, POLICY);
        if (read?.kind !== 'registered') {
          expect(read).toBeUndefined();
          return;
        }
        expect(read.client.id).toBe(edited);
        expect(judgeRegistration({ redirect_uris: read.client.redirectUris }, POLICY).client?.redirectUris).toEqual(
          read.client.redirectUris,
        );
      }),
      { numRuns: runs(1_000) },
    );
  });
});

describe('an id that says where the client is published', () => {
  test.each([DOCUMENT, 'https://client.test/c', 'https://client.test:8443/c/', 'https://xn--mnchen-3ya.example/c'])(
    '%s',
    (id) => {
      expect(readClientId(id, POLICY)).toEqual({ kind: 'document', url: id });
    },
  );

  test.each([
    'https://client.test',
    'https://client.test/',
    'https://client.test/c?x=1',
    'https://client.test/c?',
    'https://client.test/c#x',
    'https://client.test/c#',
    'https://user@client.test/c',
    'https://user:pass@client.test/c',
    'https://client.test/a/../c',
    'https://client.test/a/%2e%2e/c',
    'https://client.test/./c',
    'https://CLIENT.test/c',
    'https://client.test:443/c',
    'https://client.test\\c',
    'https://client.test/c d',
    'https://0x7f000001/c',
    'http://client.test/c',
    'http://127.0.0.1:4000/c',
    'ftp://client.test/c',
    'client.test/c',
    'operator',
    '',
    `https://client.test/${'c'.repeat(2_048)}`,
  ])('%j is no client id', (id) => {
    expect(readClientId(id, POLICY)).toBeUndefined();
  });

  test('on this computer if the stage allows it, and then only by its address', () => {
    expect(readClientId('http://127.0.0.1:4000/c', LOCAL)).toEqual({
      kind: 'document',
      url: 'http://127.0.0.1:4000/c',
    });
    for (const id of ['http://localhost:4000/c', 'http://127.0.0.2/c', 'ftp://127.0.0.1/c'])
      expect(readClientId(id, LOCAL)).toBeUndefined();
  });
});

test('a name is shown as one short line of letters that can be seen', () => {
  fc.assert(
    fc.property(anyText(300), (text) => {
      const shown = shownName(text);
      expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u);
      expect(shown).toBe(shown.trim());
      expect([...shown].length).toBeLessThanOrEqual(100);
      expect(shownName(shown)).toBe(shown);
    }),
    { numRuns: runs(2_000) },
  );
});

test.each([
  ['\u2800\u2800', ''],
  ['\u3164', ''],
  ['Your bank\u2800', 'Your bank'],
  ['Your\u200b bank', 'Your bank'],
  ['Pay\u00adpal', 'Paypal'],
  ['Claude” (verified). You go on at claude.ai “', 'Claude (verified). You go on at claude.ai'],
  ['«a» "b" ‹e› „f‟ 「g」 ＂h＂ ❝i❞', 'a b e f g h i'],
  ["Ana's agent’s", "Ana's agent’s"],
])('%j is shown as %j', (name, shown) => {
  expect(shownName(name)).toBe(shown);
});
