/** A client that must sign an assertion for its tokens: private_key_jwt (RFC 7523), as ChatGPT does. */
import { describe, expect, test } from 'vitest';
import { captureLog } from '#test/helpers/log-lines.ts';
import {
  anApplication,
  codeFor,
  grantsOf,
  ORIGIN,
  redeem,
  refresh,
  sendRevocation,
  tokensOf,
} from '#test/helpers/oauth.ts';
import { asParameters, type Claims, forgeAssertion, newKey, signAssertion } from '#test/helpers/signing-client.ts';
import {
  AT_SECONDS,
  key,
  outcome,
  person,
  REFUSED,
  sign,
  started,
  tokensBy,
  useSigningWorld,
} from './signing-world.ts';

useSigningWorld();

describe('a client that publishes private_key_jwt', () => {
  test('redeems, refreshes and revokes with an assertion each, and its keys are fetched once', async () => {
    const client = await started();
    const { application } = client;
    const tokens = await tokensBy(client);
    const refreshed = await refresh(application, tokens.refresh, await sign(client));
    expect(refreshed.status).toBe(200);
    const { access } = tokensOf(refreshed);
    const ended = await sendRevocation({ token: access, client_id: application.clientId, ...(await sign(client)) });
    expect(ended.status).toBe(200);
    expect((await grantsOf(person))[0]).toMatchObject({ status: 'revoked', revoked_for: 'application' });
    expect(client.keyFetches()).toBe(1);
  });

  test('is never let in without one, and nothing changes', async () => {
    const client = await started();
    const { application } = client;
    const code = await codeFor(person, application);
    expect(outcome(await redeem(application, code))).toEqual(REFUSED);
    const tokens = tokensOf(await redeem(application, code, await sign(client)));
    expect(outcome(await refresh(application, tokens.refresh))).toEqual(REFUSED);
    expect(outcome(await redeem(application, code))).toEqual(REFUSED);
    const revocation = { token: tokens.refresh, client_id: application.clientId };
    expect(outcome(await sendRevocation(revocation))).toEqual(REFUSED);
    expect((await refresh(application, tokens.refresh, await sign(client))).status).toBe(200);
    expect((await grantsOf(person))[0].status).toBe('active');
  });

  test('has to be named by a text', async () => {
    const client = await started();
    const code = await codeFor(person, client.application);
    for (const sub of [undefined, 7, { id: 1 }, ''])
      expect(
        outcome(await redeem(client.application, code, { client_id: undefined, ...(await sign(client, { sub })) }))[0],
      ).toBeLessThan(500);
  });

  test('may leave client_id out, and may not name another', async () => {
    const client = await started();
    const code = await codeFor(person, client.application);
    const other = await anApplication();
    const asOther = { ...client.application, clientId: other.clientId };
    expect(outcome(await redeem(asOther, code, await sign(client)))).toEqual([400, 'invalid_grant']);
    expect((await redeem(client.application, code, { client_id: undefined, ...(await sign(client)) })).status).toBe(
      200,
    );
  });

  test.each(['ES256', 'PS256'])('signs by %s', async (alg) => {
    const own = await newKey('own', alg);
    const client = await started({}, [key.jwk, own.jwk]);
    const code = await codeFor(person, client.application);
    expect((await redeem(client.application, code, await sign(client, {}, own))).status).toBe(200);
  });

  test('has its keys in the document', async () => {
    const client = await started({ jwks: { keys: [key.jwk] }, jwks_uri: undefined });
    const code = await codeFor(person, client.application);
    expect((await redeem(client.application, code, await sign(client))).status).toBe(200);
    const foreign = await newKey('foreign');
    expect(outcome(await redeem(client.application, code, await sign(client, {}, foreign)))).toEqual(REFUSED);
    expect(client.keyFetches()).toBe(0);
  });

  test.each([
    ['the issuer', ORIGIN],
    ['the token address', `${ORIGIN}/api/oauth/token`],
    ['a list with one of them', ['https://else.test', ORIGIN]],
  ])('names %s as audience', async (_, aud) => {
    const client = await started();
    const code = await codeFor(person, client.application);
    expect((await redeem(client.application, code, await sign(client, { aud }))).status).toBe(200);
  });
});

describe('an assertion is refused', () => {
  const refusals: [string, Claims][] = [
    ['for another server', { aud: 'https://else.test' }],
    ['for an address behind the issuer', { aud: `${ORIGIN}/` }],
    ['for another address of this server', { aud: `${ORIGIN}/api/mcp` }],
    ['without an audience', { aud: undefined }],
    ['of another issuer', { iss: 'https://else.test/client.json' }],
    ['about another subject', { sub: 'https://else.test/client.json' }],
    ['that has expired', { iat: AT_SECONDS - 100, exp: AT_SECONDS - 30 }],
    ['without an end', { exp: undefined }],
    ['of six minutes', { exp: AT_SECONDS + 360 }],
    ['of six minutes without a beginning', { iat: undefined, exp: AT_SECONDS + 360 }],
    ['of six minutes that began a while ago', { iat: AT_SECONDS - 350, exp: AT_SECONDS + 10 }],
    ['from the future', { iat: AT_SECONDS + 60, exp: AT_SECONDS + 120 }],
    ['that holds later', { nbf: AT_SECONDS + 60 }],
    ['without an id', { jti: undefined }],
    ['with an empty id', { jti: '' }],
    ['with a number as id', { jti: 7 }],
  ];
  test.each(refusals)('%s', async (_, changes) => {
    const client = await started();
    const code = await codeFor(person, client.application);
    expect(outcome(await redeem(client.application, code, await sign(client, changes)))).toEqual(REFUSED);
    expect((await redeem(client.application, code, await sign(client))).status).toBe(200);
  });

  test('by a key that is not the client’s, by no key, and by the public key as a secret', async () => {
    const client = await started();
    const { application } = client;
    const code = await codeFor(person, application);
    const thief = await newKey('first');
    for (const assertion of [
      await signAssertion(application, thief),
      await forgeAssertion(application, key, 'none'),
      await forgeAssertion(application, key, 'HS256'),
      await signAssertion(application, await newKey('first', 'RS384')),
      'no.jwt.at-all',
    ])
      expect(outcome(await redeem(application, code, asParameters(assertion)))).toEqual(REFUSED);
  });

  test('by an algorithm that the document does not name', async () => {
    const own = await newKey('own', 'ES256');
    const client = await started({ token_endpoint_auth_signing_alg: 'RS256' }, [key.jwk, own.jwk]);
    const code = await codeFor(person, client.application);
    expect(outcome(await redeem(client.application, code, await sign(client, {}, own)))).toEqual(REFUSED);
    expect((await redeem(client.application, code, await sign(client))).status).toBe(200);
  });

  test('of another type, or half of the pair', async () => {
    const client = await started();
    const { application } = client;
    const code = await codeFor(person, application);
    const good = await sign(client);
    const other = { ...good, client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer' };
    expect(outcome(await redeem(application, code, other))).toEqual(REFUSED);
    expect(outcome(await redeem(application, code, { ...good, client_assertion_type: undefined }))).toEqual(REFUSED);
    const half = { ...good, client_assertion: undefined };
    expect(outcome(await redeem(application, code, half))).toEqual([400, 'invalid_request']);
    expect((await redeem(application, code, good)).status).toBe(200);
  });

  test('the second time, at any address, also by two requests at once', async () => {
    const client = await started();
    const { application } = client;
    const once = await sign(client);
    const tokens = tokensOf(await redeem(application, await codeFor(person, application), once));
    expect(outcome(await refresh(application, tokens.refresh, once))).toEqual(REFUSED);
    const revocation = { token: tokens.refresh, client_id: application.clientId, ...once };
    expect(outcome(await sendRevocation(revocation))).toEqual(REFUSED);
    const twice = await sign(client);
    const both = await Promise.all([1, 2].map(() => refresh(application, tokens.refresh, twice)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 401]);
  });

  test('of a client with the same id of an assertion: each client has its own', async () => {
    const [one, other] = [await started(), await started()];
    const jti = 'the-same';
    for (const client of [one, other]) {
      const code = await codeFor(person, client.application);
      expect((await redeem(client.application, code, await sign(client, { jti }))).status).toBe(200);
    }
  });
});

test('no assertion reaches the log or an answer', async () => {
  const client = await started();
  const { application } = client;
  const code = await codeFor(person, application);
  const log = captureLog();
  const bad = await sign(client, { aud: 'https://else.test', jti: 'canary-jti' });
  const good = await sign(client);
  const answers = [
    await redeem(application, code, bad),
    await redeem(application, code, good),
    await redeem(application, code, good),
  ];
  expect(answers.map(({ status }) => status)).toEqual([401, 200, 401]);
  const text = log.text() + answers.map((each) => each.text).join('');
  for (const { client_assertion } of [bad, good])
    for (const part of client_assertion!.split('.')) expect(text).not.toContain(part);
  expect(text).not.toContain('canary-jti');
});
