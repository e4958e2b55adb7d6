/** Where the keys of a client come from, and clients that may come without an assertion. */
import { describe, expect, test } from 'vitest';
import { grantItem } from '#shared/agents/grant.store.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { anApplication, codeFor, queryOf, redeem, refresh, review, tokensFor, tokensOf } from '#test/helpers/oauth.ts';
import { asParameters, newKey, type SigningKey, signAssertion } from '#test/helpers/signing-client.ts';
import { aGrant } from '../../unit/agents/grants.ts';
import {
  AT_SECONDS,
  key,
  later,
  outcome,
  person,
  REFUSED,
  running,
  sign,
  started,
  tokensBy,
  useSigningWorld,
} from './signing-world.ts';

useSigningWorld();

describe('the keys of a client', () => {
  test('are fetched again for an unknown one, at most once a minute', async () => {
    const client = await started();
    const { refresh: token } = await tokensBy(client);
    const next = await newKey('second');
    const tries = async (by: SigningKey) =>
      outcome(await refresh(client.application, token, await sign(client, {}, by)));
    for (let n = 0; n < 3; n++) expect(await tries(next)).toEqual(REFUSED);
    expect(client.keyFetches()).toBe(1);
    later(AGENT_LIMITS.clientKeysCooldownMs);
    client.publish(500);
    for (let n = 0; n < 3; n++) expect(await tries(next)).toEqual(REFUSED);
    expect(client.keyFetches()).toBe(2);
    later(2 * AGENT_LIMITS.clientKeysCooldownMs);
    client.publish([next.jwk]);
    expect(await tries(next)).toEqual([200, undefined]);
    expect(await tries(key)).toEqual(REFUSED);
    expect(client.keyFetches()).toBe(3);
  });

  test.each([
    ['with a private key among them', async () => [key.jwk, { ...key.jwk, kid: 'lost', d: 'x' }], REFUSED],
    ['with a secret among them', async () => [key.jwk, { kty: 'oct', k: 'c2VjcmV0', kid: 'lost' }], REFUSED],
    ['that are none', async () => '{"keys":[]}', REFUSED],
    ['that are too large', async () => JSON.stringify({ keys: [key.jwk], x: 'x'.repeat(33_000) }), REFUSED],
    ['that the server does not give', async () => 503, [503, 'temporarily_unavailable']],
  ])('%s let nobody in, are asked for once a minute, and work when they are right', async (_, wrong, refusal) => {
    const client = await started();
    const { application } = client;
    const code = await codeFor(person, application);
    client.publish(await wrong());
    for (let n = 0; n < 2; n++) expect(outcome(await redeem(application, code, await sign(client)))).toEqual(refusal);
    expect(client.keyFetches()).toBe(1);
    client.publish([key.jwk]);
    later(AGENT_LIMITS.clientDocumentFailedMs);
    const again = await codeFor({ cookies: person.cookies! }, application);
    expect((await redeem(application, again, await sign(client))).status).toBe(200);
  });

  test('that cannot be reached leave the token as it is', async () => {
    const client = await started();
    const tokens = await tokensBy(client);
    await client.stop();
    later(AGENT_LIMITS.clientDocumentKeptMinMs);
    const answer = await refresh(client.application, tokens.refresh, await sign(client));
    expect([...outcome(answer), answer.headers['retry-after']]).toEqual([503, 'temporarily_unavailable', '60']);
    running.splice(0);
  });

  test('are not fetched for a stranger without a code or token of this client', async () => {
    const client = await started();
    await review(person, queryOf(client.application));
    const code = 'x'.repeat(43);
    expect(outcome(await redeem(client.application, code, await sign(client)))).toEqual([400, 'invalid_grant']);
    const token = `svc_rt_${'x'.repeat(43)}`;
    expect(outcome(await refresh(client.application, token, await sign(client)))).toEqual([400, 'invalid_grant']);
    expect(client.keyFetches()).toBe(0);
  });
});

describe('a public client', () => {
  test('that sends an assertion has it verified all the same', async () => {
    const client = await started({ token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'] });
    const { application } = client;
    const code = await codeFor(person, application);
    const expired = await sign(client, { iat: AT_SECONDS - 100, exp: AT_SECONDS - 60 });
    expect(outcome(await redeem(application, code, expired))).toEqual(REFUSED);
    const tokens = tokensOf(await redeem(application, code, await sign(client)));
    expect((await refresh(application, tokens.refresh)).status).toBe(200);
  });

  test('without keys proves nothing by one', async () => {
    const application = await anApplication();
    const code = await codeFor(person, application);
    const signed = asParameters(await signAssertion(application, key));
    expect(outcome(await redeem(application, code, signed))).toEqual(REFUSED);
    expect((await redeem(application, code)).status).toBe(200);
  });

  test('whose document asks for assertions since still has the grant as it was allowed', async () => {
    const client = await started({ token_endpoint_auth_method: 'none' });
    const tokens = await tokensFor(person, client.application);
    client.describe({});
    later(AGENT_LIMITS.clientDocumentKeptMinMs);
    expect((await refresh(client.application, tokens.refresh)).status).toBe(200);
  });
});

test('a grant that needs assertions needs them when the document takes them back', async () => {
  const client = await started();
  const tokens = await tokensBy(client);
  client.describe({ token_endpoint_auth_method: 'none', jwks_uri: undefined });
  later(AGENT_LIMITS.clientDocumentKeptMinMs);
  expect(outcome(await refresh(client.application, tokens.refresh))).toEqual(REFUSED);
  expect(outcome(await refresh(client.application, tokens.refresh, await sign(client)))).toEqual(REFUSED);
});

test('the page says why a document is refused', async () => {
  const client = await started({ jwks_uri: undefined });
  const { status, body } = await review(person, queryOf(client.application));
  expect([status, body.error.message]).toEqual([
    422,
    expect.stringContaining('private_key_jwt needs jwks_uri or jwks'),
  ]);
});

test('a grant that was stored before there were assertions is one of a public client', () => {
  const { client_auth, ...stored } = grantItem.toItem({ ...aGrant(), clientAuth: 'private_key_jwt' });
  expect(client_auth).toBe('private_key_jwt');
  expect(grantItem.fromItem(stored)).toEqual(aGrant());
});
