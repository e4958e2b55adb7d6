/** Tokens from the first to the last, and the grant that they belong to. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { contract as readContract } from '#functions/api/connections/list-connections/contract.ts';
import { handler as read } from '#functions/api/connections/list-connections/handler.ts';
import { contract as revokeContract } from '#functions/api/oauth/revoke-grant/contract.ts';
import { handler as revokeGrant } from '#functions/api/oauth/revoke-grant/handler.ts';
import * as grants from '#shared/agents/grant.store.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { bearer, type Credential } from '#test/helpers/callers.ts';
import { call } from '#test/helpers/http.ts';
import {
  anApplication,
  codeFor,
  grantsOf,
  RESOURCE,
  redeem,
  refresh,
  sendRevocation,
  sendToken,
  tokensFor,
  tokensOf,
} from '#test/helpers/oauth.ts';
import { sessionCookie, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
let organizations = 0;
let table: EngineTable;

beforeAll(async () => {
  table = await startEngineTable();
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

/**
 * A person with a new organization. The session is signed again on each call, so that moving the clock does not end it.
 */
const aPerson = async (): Promise<{ organizationId: string; person: Credential; again(): Promise<Credential> }> => {
  const organizationId = `00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`;
  const again = async () => ({ cookies: await sessionCookie(organizationId) });
  return { organizationId, person: await again(), again };
};

describe('tokens', () => {
  test('are what RFC 6749 says they are, and read until they are over', async () => {
    const { person } = await aPerson();
    const application = await anApplication();
    const answer = await redeem(application, await codeFor(person, application));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' });
    expect(answer.body).toEqual({
      access_token: expect.stringMatching(/^svc_at_[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3_600,
      scope: 'data:read',
      refresh_token: expect.stringMatching(/^svc_rt_[\w-]{43}$/),
    });
    const { access } = tokensOf(answer);
    expect(await reads(access)).toBe(200);
    later(3_599_999);
    expect(await reads(access)).toBe(200);
    later(3_600_000);
    expect(await reads(access)).toBe(401);
  });

  test('a client that asked for no refresh tokens gets no refresh tokens', async () => {
    const { person } = await aPerson();
    const application = await anApplication({ grant_types: ['authorization_code'] });
    const { body } = await redeem(application, await codeFor(person, application));
    expect(body).not.toHaveProperty('refresh_token');
  });

  test('are refreshed for as long as the grant is valid, and never longer', async () => {
    const { person, organizationId } = await aPerson();
    const application = await anApplication();
    let tokens = await tokensFor(person, application);
    const [{ id }] = await grantsOf(person);
    for (let day = 29; day < 180; day += 29) {
      later(day * 86_400_000);
      const answer = await refresh(application, tokens.refresh);
      expect(answer.status).toBe(200);
      tokens = tokensOf(answer);
      expect(await reads(tokens.access)).toBe(200);
    }
    expect((await grants.find(organizationId, id))?.generation).toBe(7);
    later(AGENT_LIMITS.grantMs - 60_000);
    const last = await refresh(application, tokens.refresh);
    expect([last.status, last.body.expires_in]).toEqual([200, 60]);
    later(AGENT_LIMITS.grantMs);
    expect(await reads(last.body.access_token)).toBe(401);
    expect(await refresh(application, last.body.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
  });

  test('are refreshed 30 times a minute: the next request learns when to retry, leaves nothing, and retains its token', async () => {
    const { person } = await aPerson();
    const application = await anApplication();
    let tokens = await tokensFor(person, application);
    for (let n = 0; n < 30; n++) tokens = tokensOf(await refresh(application, tokens.refresh));
    const { status, body, headers } = await refresh(application, tokens.refresh);
    expect([status, body.error, headers['retry-after'], headers['cache-control']]).toEqual([
      429,
      'temporarily_unavailable',
      '60',
      'no-store',
    ]);
    later(60_000);
    expect((await refresh(application, tokens.refresh)).status).toBe(200);
  });

  test('a refresh token that is not used for thirty days is over', async () => {
    const { person } = await aPerson();
    const application = await anApplication();
    const tokens = await tokensFor(person, application);
    later(AGENT_LIMITS.refreshTokenMs);
    expect(await refresh(application, tokens.refresh)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  test.each([
    [{ grant_type: undefined }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'toString' }, 'unsupported_grant_type'],
    [{ client_id: undefined }, 'invalid_request'],
    [{ code: undefined }, 'invalid_request'],
    [{ code_verifier: undefined }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
  ])('%j is %s', async (changes, error) => {
    const { person } = await aPerson();
    const application = await anApplication();
    const code = await codeFor(person, application);
    const answer = await redeem(application, code, changes);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect((await redeem(application, code)).status).toBe(200);
  });

  test('a client that nobody can be: 401', async () => {
    const answer = await sendToken({ grant_type: 'refresh_token', refresh_token: 'x', client_id: 'operator' });
    expect([answer.status, answer.body.error]).toEqual([401, 'invalid_client']);
  });

  test('OAuth 2.1 leaves the redirect address away', async () => {
    const { person } = await aPerson();
    const application = await anApplication();
    const code = await codeFor(person, application);
    expect((await redeem(application, code, { redirect_uri: undefined, resource: RESOURCE })).status).toBe(200);
  });
});

describe('a granted application', () => {
  test('is listed when its code was redeemed, with its last use, and belongs only to its organization', async () => {
    const { person } = await aPerson();
    const application = await anApplication();
    const code = await codeFor(person, application);
    expect(await grantsOf(person)).toEqual([]);
    const { access } = tokensOf(await redeem(application, code));
    const [grant, ...others] = await grantsOf(person);
    expect(others).toEqual([]);
    expect(grant).toEqual({
      id: expect.any(String),
      client_id: application.clientId,
      client_name: 'Agent',
      client_publisher: null,
      redirect_kind: 'web',
      redirect_host: 'agent.test',
      scope: 'data:read',
      subject: 'user-1',
      status: 'active',
      created_at: '2026-11-05T12:00:00.000Z',
      expires_at: '2027-05-04T12:00:00.000Z',
      last_used_at: null,
      revoked_at: null,
      revoked_for: null,
    });
    later(1_000);
    await reads(access);
    expect((await grantsOf(person))[0].last_used_at).toBe('2026-11-05T12:00:01.000Z');
    expect(await grantsOf((await aPerson()).person)).toEqual([]);
  });

  test('is revoked: its tokens are refused from the next request on; again changes nothing', async () => {
    const { person } = await aPerson();
    const application = await anApplication();
    const tokens = await tokensFor(person, application);
    const other = await anApplication({ client_name: 'Other' });
    const untouched = await tokensFor(person, other);
    const id = (await grantsOf(person)).find(({ client_id }) => client_id === application.clientId).id;
    const answer = await call(revokeContract, revokeGrant, { ...person, params: { id: id.toUpperCase() } });
    expect(answer.body.data).toMatchObject({ status: 'revoked', revoked_for: 'person' });
    expect(await reads(tokens.access)).toBe(401);
    expect((await refresh(application, tokens.refresh)).status).toBe(400);
    later(5_000);
    expect((await call(revokeContract, revokeGrant, { ...person, params: { id } })).body).toEqual(answer.body);
    expect(await reads(untouched.access)).toBe(200);
  });

  test('one whose code waits is not there to be revoked', async () => {
    const { organizationId, person } = await aPerson();
    await codeFor(person, await anApplication());
    const [hidden] = await grants.list(organizationId);
    const answer = await call(revokeContract, revokeGrant, { ...person, params: { id: hidden!.id } });
    expect([answer.status, answer.body.error.code]).toEqual([404, 'grant_not_found']);
  });
});

describe('a client revokes (RFC 7009)', () => {
  test.each(['access', 'refresh'] as const)('its %s token: the grant ends', async (which) => {
    const { person } = await aPerson();
    const application = await anApplication();
    const tokens = await tokensFor(person, application);
    const answer = await sendRevocation({ token: tokens[which], client_id: application.clientId });
    expect(answer.status).toBe(200);
    expect(await reads(tokens.access)).toBe(401);
    expect((await refresh(application, tokens.refresh)).status).toBe(400);
    expect((await grantsOf(person))[0]).toMatchObject({ status: 'revoked', revoked_for: 'application' });
    expect((await sendRevocation({ token: tokens[which], client_id: application.clientId })).status).toBe(200);
  });

  test('what is unknown: 200; what is another client’s or no token of an application: refused', async () => {
    const { organizationId, person } = await aPerson();
    const application = await anApplication();
    const tokens = await tokensFor(person, application);
    const { clientId } = await anApplication({ client_name: 'Other' });
    const revoked = async (token: string | undefined, client_id: string | undefined) => {
      const { status, body } = await sendRevocation({ token, client_id });
      return [status, body.error];
    };
    for (const token of ['nonsense', `svc_at_${'a'.repeat(43)}`, `svc_rt_${'a'.repeat(43)}`])
      expect(await revoked(token, clientId)).toEqual([200, undefined]);
    expect(await revoked(tokens.access, clientId)).toEqual([400, 'invalid_grant']);
    expect(await revoked(tokens.refresh, clientId)).toEqual([400, 'invalid_grant']);
    expect(await revoked(`svc_sk_${'a'.repeat(43)}`, clientId)).toEqual([400, 'unsupported_token_type']);
    expect(await revoked(tokens.access, 'nobody')).toEqual([401, 'invalid_client']);
    expect(await revoked(undefined, clientId)).toEqual([400, 'invalid_request']);
    const expiresAt = new Date(AT + 60_000).toISOString();
    const { token } = await createAccessToken(organizationId, { expiresAt });
    expect(await revoked(token, clientId)).toEqual([400, 'invalid_grant']);
    expect(await reads(tokens.access)).toBe(200);
    expect(await reads(token)).toBe(200);
  });
});
