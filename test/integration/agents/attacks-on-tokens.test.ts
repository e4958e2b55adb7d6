/** What a thief of a code or token may try, and what another client may try. */
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { contract as readContract } from '#functions/api/connections/list-connections/contract.ts';
import { handler as read } from '#functions/api/connections/list-connections/handler.ts';
import { contract as revokeContract } from '#functions/api/oauth/revoke-grant/contract.ts';
import { handler as revokeGrant } from '#functions/api/oauth/revoke-grant/handler.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { bearer, type Credential } from '#test/helpers/callers.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { call } from '#test/helpers/http.ts';
import {
  type Application,
  anApplication,
  codeFor,
  grantsOf,
  ORIGIN,
  redeem,
  refresh,
  tokensFor,
  tokensOf,
} from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
let table: TestTable;
let organizations = 0;

beforeAll(async () => {
  table = await startTable();
  useSharedSecretIssuer();
  plantClock(() => AT);
});
afterEach(() => plantClock(() => AT));
afterAll(async () => {
  plantClock(undefined);
  await table.stop();
});

const later = (ms: number) => plantClock(() => AT + ms);
const reads = async (token: string): Promise<number> => (await call(readContract, read, bearer(token))).status;

interface World {
  person: Credential;
  application: Application;
}

/** Next to each attacked grant, the same person has another grant, which must stay unaffected. */
const aWorld = async (): Promise<World & { untouched(): Promise<void> }> => {
  const person = {
    cookies: await sessionCookie(`00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`),
  };
  const beside = await anApplication({ client_name: 'Beside' });
  const { access } = await tokensFor(person, beside);
  const application = await anApplication();
  return {
    person,
    application,
    untouched: async () => {
      expect(await reads(access)).toBe(200);
    },
  };
};

/** State of the grant that was attacked. */
const stateOf = async ({ person, application }: World) =>
  (await grantsOf(person)).find(({ client_id }) => client_id === application.clientId);

test('attack 9: a wrong verifier is refused, and the code is still good', async () => {
  const { person, application, untouched } = await aWorld();
  const code = await codeFor(person, application);
  for (const code_verifier of ['wrong'.repeat(10), `${application.verifier}x`, application.verifier.slice(1)])
    expect(await redeem(application, code, { code_verifier })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  const { access } = tokensOf(await redeem(application, code));
  expect(await reads(access)).toBe(200);
  // It does not end anything either once the code is spent.
  await redeem(application, code, { code_verifier: 'wrong'.repeat(10) });
  expect(await reads(access)).toBe(200);
  await untouched();
});

test('attack 10: a code again is refused, and all tokens of the grant with it', async () => {
  const world = await aWorld();
  const { person, application, untouched } = world;
  const code = await codeFor(person, application);
  const tokens = tokensOf(await redeem(application, code));
  later(10 * AGENT_LIMITS.authorizationCodeMs);
  expect(await redeem(application, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await reads(tokens.access)).toBe(401);
  expect((await refresh(application, tokens.refresh)).status).toBe(400);
  expect(await stateOf(world)).toMatchObject({ status: 'revoked', revoked_for: 'reuse' });
  await untouched();
});

test('attack 11: of fifty redemptions at once at most one succeeds', async () => {
  const { person, application, untouched } = await aWorld();
  const code = await codeFor(person, application);
  const answers = await Promise.all(Array.from({ length: 50 }, () => redeem(application, code)));
  const given = answers.filter(({ status }) => status === 200);
  expect(given.length).toBeLessThanOrEqual(1);
  for (const { status } of answers) expect([200, 400, 503]).toContain(status);
  expect(new Set(given.map(({ body }) => body.access_token)).size).toBe(given.length);
  await untouched();
});

test('attack 12: another client’s code', async () => {
  const { person, application, untouched } = await aWorld();
  const code = await codeFor(person, application);
  const other = await anApplication({ client_name: 'Other' });
  const stolen = { ...application, clientId: other.clientId };
  expect(await redeem(stolen, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect((await redeem(application, code)).status).toBe(200);
  await untouched();
});

test('attack 13: a code with another redirect address', async () => {
  const { person, application, untouched } = await aWorld();
  const code = await codeFor(person, application);
  for (const redirect_uri of ['https://evil.test/', 'https://agent.test/callback'])
    expect(await redeem(application, code, { redirect_uri })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  expect((await redeem(application, code)).status).toBe(200);
  await untouched();
});

test('attack 14: a code after 60 seconds', async () => {
  const world = await aWorld();
  const code = await codeFor(world.person, world.application);
  later(AGENT_LIMITS.authorizationCodeMs);
  expect(await redeem(world.application, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await stateOf(world)).toBeUndefined();
  later(AGENT_LIMITS.authorizationCodeMs - 1);
  expect((await redeem(world.application, code)).status).toBe(200);
});

test('attack 15: an old refresh token ends the grant', async () => {
  const world = await aWorld();
  const { person, application, untouched } = world;
  const first = await tokensFor(person, application);
  const second = tokensOf(await refresh(application, first.refresh));
  later(AGENT_LIMITS.refreshGraceMs);
  expect(await refresh(application, first.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  for (const { access } of [first, second]) expect(await reads(access)).toBe(401);
  expect((await refresh(application, second.refresh)).status).toBe(400);
  expect(await stateOf(world)).toMatchObject({ status: 'revoked', revoked_for: 'reuse' });
  await untouched();
});

test('attack 16: within 30 seconds a token again is a sibling; its later reuse is noticed', async () => {
  const world = await aWorld();
  const { person, application, untouched } = world;
  const first = await tokensFor(person, application);
  const second = tokensOf(await refresh(application, first.refresh));
  later(AGENT_LIMITS.refreshGraceMs - 1);
  const sibling = tokensOf(await refresh(application, first.refresh));
  expect(await reads(sibling.access)).toBe(200);
  const third = tokensOf(await refresh(application, second.refresh));
  expect(await reads(third.access)).toBe(200);
  later(3 * AGENT_LIMITS.refreshGraceMs);
  expect((await refresh(application, sibling.refresh)).status).toBe(400);
  for (const { access } of [first, second, sibling, third]) expect(await reads(access)).toBe(401);
  expect(await stateOf(world)).toMatchObject({ revoked_for: 'reuse' });
  await untouched();
});

test('attack 16: no more than five siblings', async () => {
  const { person, application } = await aWorld();
  const first = await tokensFor(person, application);
  const statuses = [];
  for (let n = 0; n < 7; n++) statuses.push((await refresh(application, first.refresh)).status);
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 400]);
});

test('attack 17: a refresh by another client is refused, and nothing changes', async () => {
  const { person, application, untouched } = await aWorld();
  const tokens = await tokensFor(person, application);
  const other = await anApplication({ client_name: 'Other' });
  expect(await refresh(other, tokens.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  expect(await reads(tokens.access)).toBe(200);
  later(AGENT_LIMITS.refreshGraceMs);
  expect((await refresh(application, tokens.refresh)).status).toBe(200);
  await untouched();
});

test('attack 18: a wider scope or another resource at the refresh', async () => {
  const { person, application, untouched } = await aWorld();
  const tokens = await tokensFor(person, application);
  const refused = async (changes: Record<string, string>) =>
    (await refresh(application, tokens.refresh, changes)).body.error;
  expect(await refused({ resource: 'https://evil.test/api/mcp' })).toBe('invalid_target');
  let { refresh: latest } = tokens;
  for (const scope of ['data:read', 'data:read data:write', 'openid offline_access']) {
    const answer = await refresh(application, latest, { scope, resource: `${ORIGIN}/api/mcp` });
    expect([answer.status, answer.body.scope]).toEqual([200, 'data:read']);
    latest = answer.body.refresh_token;
  }
  await untouched();
});

test('attack 29: a token of a revoked grant is refused at the next request', async () => {
  const world = await aWorld();
  const { person, application, untouched } = world;
  const tokens = await tokensFor(person, application);
  const fresh = tokensOf(await refresh(application, tokens.refresh));
  for (const { access } of [tokens, fresh]) expect(await reads(access)).toBe(200);
  const { id } = await stateOf(world);
  await call(revokeContract, revokeGrant, { ...person, params: { id } });
  for (const { access } of [tokens, fresh]) expect(await reads(access)).toBe(401);
  await untouched();
});
