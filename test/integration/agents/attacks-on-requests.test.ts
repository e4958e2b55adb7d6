/** Attacks through the parameters of the address at which a person is asked for consent. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import type { Credential } from '#test/helpers/callers.ts';
import {
  type Application,
  allow,
  anApplication,
  decide,
  ORIGIN,
  type Parameters,
  queryOf,
  review,
} from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

let table: EngineTable;
let person: Credential;
let application: Application;
let organizations = 0;

beforeAll(async () => {
  table = await startEngineTable();
  useSharedSecretIssuer();
});
afterAll(() => table.stop());

/** Each test uses a new person: nobody is asked more than thirty times a minute. */
const someone = async (): Promise<void> => {
  person = { cookies: await sessionCookie(`00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`) };
  application = await anApplication();
};

/** Only the person sees the error, both when the page asks and when it answers. */
const expectOnPage = async (query: string): Promise<void> => {
  for (const answer of [await review(person, query), await decide(person, { query, digest: 'x', decision: 'allow' })]) {
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
    expect(answer.headers).not.toHaveProperty('location');
  }
};

const expectSentBack = async (query: string, error: string): Promise<void> => {
  const { body } = await review(person, query);
  expect(body.data.kind).toBe('redirect');
  const to = new URL(body.data.to);
  expect(to.host).toBe('agent.test');
  expect([to.searchParams.get('error'), to.searchParams.get('iss')]).toEqual([error, ORIGIN]);
  expect(to.searchParams.has('code')).toBe(false);
  const decided = await decide(person, { query, digest: 'x', decision: 'allow' });
  expect(decided.body.data).toEqual({ redirect_to: body.data.to });
};

const asked = (changes: Parameters, behind = ''): string => queryOf(application, changes) + behind;

describe('an address that the client did not register', () => {
  test('attack 1: of somebody else', async () => {
    await someone();
    await expectOnPage(asked({ redirect_uri: 'https://evil.test/callback?tenant=1' }));
    await expectOnPage(asked({ redirect_uri: undefined }));
  });

  test.each([
    'https://agent.test/callback?tenant=1&x=2',
    'https://agent.test/callback/x?tenant=1',
    'https://agent.test/Callback?tenant=1',
    'https://agent.test/callback/../callback?tenant=1',
    'https://agent.test.evil.test/callback?tenant=1',
    'https://agent-test/callback?tenant=1',
    'https://аgent.test/callback?tenant=1',
    'http://agent.test/callback?tenant=1',
  ])('attack 2: a path below or a host alike, %s', async (redirect_uri) => {
    await someone();
    await expectOnPage(asked({ redirect_uri }));
  });

  test.each([
    'javascript:alert(document.cookie)',
    'JAVASCRIPT:alert(1)',
    'data:text/html,<script>1</script>',
    'vbscript:x',
  ])('attack 3: a script, %s', async (redirect_uri) => {
    await someone();
    await expectOnPage(asked({ redirect_uri }));
    // Registering the address does not help either.
    const stubborn = await anApplication({ redirect_uris: [redirect_uri, 'https://agent.test/callback?tenant=1'] });
    await expectOnPage(queryOf(stubborn, { redirect_uri }));
  });

  test.each([
    'https://agent.test@evil.test/callback?tenant=1',
    'https://agent.test:x@evil.test/callback?tenant=1',
    'https://agent.test\\@evil.test/callback?tenant=1',
    'https:\\\\agent.test/callback?tenant=1',
    'https://agent.test/callback?tenant=1\\',
  ])('attack 4: user info or a backslash, %s', async (redirect_uri) => {
    await someone();
    await expectOnPage(asked({ redirect_uri }));
    const stubborn = await anApplication({ redirect_uris: [redirect_uri, 'https://agent.test/callback?tenant=1'] });
    await expectOnPage(queryOf(stubborn, { redirect_uri }));
  });

  test('attack 5: another path of a local program; another port is fine', async () => {
    await someone();
    const local = await anApplication({ redirect_uris: ['http://127.0.0.1/callback'] });
    for (const redirect_uri of [
      'http://127.0.0.1/other',
      'http://127.0.0.1:80@evil.test/callback',
      'http://localhost/callback',
      'http://127.0.0.1.evil.test/callback',
    ])
      await expectOnPage(queryOf(local, { redirect_uri }));
    const to = await allow(person, queryOf(local, { redirect_uri: 'http://127.0.0.1:53122/callback' }));
    expect(`${to.origin}${to.pathname}`).toBe('http://127.0.0.1:53122/callback');
  });
});

test('attack 6: a repeated redirect address is reported on the page, a repeated state is sent back without state', async () => {
  await someone();
  await expectOnPage(asked({}, '&redirect_uri=https%3A%2F%2Fevil.test%2F'));
  await expectOnPage(asked({}, `&client_id=${application.clientId}`));
  await expectSentBack(asked({}, '&state=other'), 'invalid_request');
  const { body } = await review(person, asked({}, '&state=other'));
  expect(new URL(body.data.to).searchParams.has('state')).toBe(false);
});

test('attack 7: no challenge is sent back', async () => {
  await someone();
  await expectSentBack(asked({ code_challenge: undefined, code_challenge_method: undefined }), 'invalid_request');
  await expectSentBack(asked({ code_challenge: undefined }), 'invalid_request');
});

test('attack 8: a plain challenge is sent back, as is one of no method', async () => {
  await someone();
  await expectSentBack(
    asked({ code_challenge_method: 'plain', code_challenge: application.verifier }),
    'invalid_request',
  );
  await expectSentBack(asked({ code_challenge_method: undefined }), 'invalid_request');
});

test('attack 19: a foreign resource is sent back', async () => {
  await someone();
  for (const resource of ['https://evil.test/api/mcp', `${ORIGIN}/api/mcp//`, `${ORIGIN}/api`, 'mcp'])
    await expectSentBack(asked({ resource }), 'invalid_target');
  await expectSentBack(asked({}, `&resource=${ORIGIN}/api/mcp&resource=https://evil.test/`), 'invalid_request');
});

test('attack 20: every answer says whose it is, so that a client of two servers is not confused', async () => {
  await someone();
  const yes = await allow(person, asked({}));
  const { digest } = (await review(person, asked({}))).body.data;
  const no = new URL((await decide(person, { query: asked({}), digest, decision: 'deny' })).body.data.redirect_to);
  const wrong = new URL((await review(person, asked({ response_type: 'token' }))).body.data.to);
  for (const to of [yes, no, wrong]) expect(to.searchParams.getAll('iss')).toEqual([ORIGIN]);
});

describe('attack 27: a registered id', () => {
  const sent = (clientId: string): Promise<void> => expectOnPage(queryOf({ ...application, clientId }));

  test('attack 27: that was edited', async () => {
    await someone();
    const said = JSON.parse(Buffer.from(application.clientId.slice(5), 'base64url').toString());
    const encoded = (value: object) => `dcr1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`;
    await sent(`${application.clientId}x`);
    await sent(application.clientId.slice(0, -1));
    await sent(encoded({ ...said, redirect_uris: ['javascript:alert(1)', ...said.redirect_uris] }));
    await sent(encoded({ ...said, name: 'Ag\u202eent' }));
    await sent(encoded({ ...said, publisher: 'claude.ai' }));
    // A document that names another address describes another client: the requested address is not registered there.
    await sent(encoded({ ...said, redirect_uris: ['https://evil.test/'] }));
  });

  test('attack 27: that is huge', async () => {
    await someone();
    const uris = Array.from({ length: 100 }, (_, n) => `https://agent.test/${n}`);
    const value = { name: 'Agent', redirect_uris: uris, refresh: true };
    await sent(`dcr1.${Buffer.from(JSON.stringify(value)).toString('base64url')}`);
    const { status, body } = await review(person, 'x'.repeat(12_001));
    expect([status, body.error.code]).toEqual([422, 'validation_error']);
  });
});
