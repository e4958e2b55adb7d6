/** The path from an application's authorization request to its tokens, and their lifetime, over a real table. */

import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { handler as metadata } from '#functions/api/oauth/get-oauth-metadata/handler.ts';
import { contract as revokeContract } from '#functions/api/oauth/revoke-grant/contract.ts';
import { handler as revokeGrant } from '#functions/api/oauth/revoke-grant/handler.ts';
import { answerQuestion, readQuestion, TooManyGrants } from '#shared/agents/authorize.ts';
import * as grants from '#shared/agents/grant.store.ts';
import { AGENT_LIMITS } from '#shared/agents/limits.ts';
import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import type { Credential } from '#test/helpers/callers.ts';
import { answered, call, eventOf } from '#test/helpers/http.ts';
import { allow, anApplication, decide, ORIGIN, queryOf, RESOURCE, register, review } from '#test/helpers/oauth.ts';
import { sessionCookie, sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

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

/**
 * A person with a new organization. The session is signed again on each call, so that moving the clock does not end it.
 */
const aPerson = async (): Promise<{ organizationId: string; person: Credential; again(): Promise<Credential> }> => {
  const organizationId = `00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`;
  const again = async () => ({ cookies: await sessionCookie(organizationId) });
  return { organizationId, person: await again(), again };
};

describe('what a client reads first', () => {
  const described = async (path: string) => {
    const answer = await answered(metadata, eventOf({ method: 'GET', path }));
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cache-control': 'max-age=300',
      'content-type': 'application/json; charset=utf-8',
    });
    return answer.body;
  };

  test('the authorization server', async () => {
    expect(await described('/.well-known/oauth-authorization-server')).toEqual({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/authorize`,
      token_endpoint: `${ORIGIN}/api/oauth/token`,
      revocation_endpoint: `${ORIGIN}/api/oauth/revoke`,
      registration_endpoint: `${ORIGIN}/api/oauth/register`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256'],
      revocation_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      revocation_endpoint_auth_signing_alg_values_supported: ['ES256', 'RS256', 'PS256'],
      code_challenge_methods_supported: ['S256'],
      scopes_supported: ['data:read'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
  });

  test('the resource, at both addresses where clients look', async () => {
    const resource = {
      resource: RESOURCE,
      authorization_servers: [ORIGIN],
      scopes_supported: ['data:read'],
      bearer_methods_supported: ['header'],
    };
    expect(await described('/.well-known/oauth-protected-resource/api/mcp')).toEqual(resource);
    expect(await described('/.well-known/oauth-protected-resource')).toEqual(resource);
  });
});

test('registration answers what a client is from now on, as RFC 7591 has it', async () => {
  const answer = await register({
    client_name: 'Agent',
    redirect_uris: ['http://127.0.0.1/cb', 'javascript:1'],
    grant_types: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_method: 'client_secret_post',
  });
  expect(answer.status).toBe(201);
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.body).toEqual({
    client_id: expect.stringMatching(/^dcr1\./),
    client_id_issued_at: AT / 1_000,
    client_name: 'Agent',
    redirect_uris: ['http://127.0.0.1/cb'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  });
  const nameless = await register({ redirect_uris: ['https://a.test/cb'] });
  expect(nameless.body).not.toHaveProperty('client_name');
  expect(nameless.body.grant_types).toEqual(['authorization_code']);
  expect(await register({ redirect_uris: ['javascript:1'] })).toMatchObject({
    status: 400,
    body: { error: 'invalid_redirect_uri' },
  });
  expect(await register('{')).toMatchObject({ status: 400, body: { error: 'invalid_client_metadata' } });
});

describe('the person', () => {
  test('shows who asks, where the answer goes and what could be read', async () => {
    const { organizationId, person } = await aPerson();
    const application = await anApplication();
    const answer = await review(person, queryOf(application));
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      kind: 'consent',
      client: { id: application.clientId, name: 'Agent', publisher: null },
      redirect_kind: 'web',
      redirect_host: 'agent.test',
      organization_id: organizationId,
      scope: 'data:read',
      connections: [],
      days: 180,
      digest: expect.stringMatching(/^[\w-]{43}$/),
      to: null,
    });
  });

  test.each([[undefined], [''], [7], [{ id: 'user-1' }]])(
    'is needed: a session of person %j is 403',
    async (subject) => {
      const { organizationId } = await aPerson();
      const nobody = { cookies: [`sb-access-token=${await sessionToken({ organizationId, subject })}`] };
      const query = queryOf(await anApplication());
      for (const { status, body } of [
        await review(nobody, query),
        await decide(nobody, { query, digest: 'x', decision: 'allow' }),
      ])
        expect([status, body.error.code, body.error.message]).toEqual([
          403,
          'forbidden',
          'This session names no person (claim `sub`).',
        ]);
      expect(await grants.list(organizationId)).toEqual([]);
    },
  );

  test('sends a faulty question back to the application, with a word of who says so', async () => {
    const { person } = await aPerson();
    const query = queryOf(await anApplication(), { code_challenge_method: 'plain' });
    const { data } = (await review(person, query)).body;
    expect(data).toMatchObject({ kind: 'redirect', digest: null, scope: null, redirect_host: 'agent.test' });
    const url = new URL(data.to);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      tenant: '1',
      error: 'invalid_request',
      state: 'the-state',
      iss: ORIGIN,
    });
    const decided = await decide(person, { query, digest: 'x', decision: 'allow' });
    expect(decided.body.data.redirect_to).toBe(data.to);
  });

  test('says no: the application learns it, and nothing is stored', async () => {
    const { organizationId, person } = await aPerson();
    const query = queryOf(await anApplication());
    const { digest } = (await review(person, query)).body.data;
    const { body } = await decide(person, { query, digest, decision: 'deny' });
    const told = new URL(body.data.redirect_to).searchParams;
    expect([told.get('error'), told.get('state'), told.get('iss')]).toEqual(['access_denied', 'the-state', ORIGIN]);
    expect(await grants.list(organizationId)).toEqual([]);
  });

  test('says yes: the code goes to the registered address, in addition to its own query', async () => {
    const { person } = await aPerson();
    const to = await allow(person, queryOf(await anApplication()));
    expect(`${to.origin}${to.pathname}`).toBe('https://agent.test/callback');
    expect(Object.fromEntries(to.searchParams)).toEqual({
      tenant: '1',
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'the-state',
      iss: ORIGIN,
    });
  });

  test('may answer thirty times a minute, and then learns when to continue', async () => {
    const { person, again } = await aPerson();
    const query = queryOf(await anApplication());
    const statuses = [];
    for (let n = 0; n < AGENT_LIMITS.consentsPerMinute; n++) statuses.push((await review(person, query)).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const over = await review(person, query);
    expect([over.status, over.body.error.code, over.headers['retry-after']]).toEqual([429, 'rate_limited', '60']);
    expect((await decide(person, { query, digest: 'x', decision: 'deny' })).status).toBe(429);
    later(60_000);
    expect((await review(await again(), query)).status).toBe(200);
  });

  test('of an organization with 200 applications must revoke one first', async () => {
    const { organizationId, person, again } = await aPerson();
    const expiresAt = new Date(AT + AGENT_LIMITS.grantMs).toISOString();
    const made: string[] = [];
    for (let n = 0; n < AGENT_LIMITS.grantsPerOrganizationMax; n++)
      made.push((await createAccessToken(organizationId, { expiresAt })).id);
    const query = queryOf(await anApplication());
    const { digest } = (await review(person, query)).body.data;
    const refused = await decide(person, { query, digest, decision: 'allow' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'grant_limit_reached']);
    await call(revokeContract, revokeGrant, { ...person, params: { id: made[0]! } });
    expect((await decide(person, { query, digest, decision: 'allow' })).status).toBe(200);
    // The new grant counts against the limit while its code is valid, and no longer.
    expect((await decide(person, { query, digest, decision: 'allow' })).status).toBe(409);
    later(AGENT_LIMITS.authorizationCodeMs);
    expect((await decide(await again(), { query, digest, decision: 'allow' })).status).toBe(200);
  });

  test('five at once for the last of 200 places: one gets it; where there is room all get one', async () => {
    const { organizationId } = await aPerson();
    const expiresAt = new Date(AT + AGENT_LIMITS.grantMs).toISOString();
    const query = queryOf(await anApplication());
    const asked = { organizationId, subject: 'person' };
    const question = await readQuestion(query, asked);
    const digest = 'digest' in question ? question.digest : '';
    const allowed = async (): Promise<number> => {
      const answers = await Promise.allSettled(
        Array.from({ length: 5 }, () =>
          answerQuestion({ query, digest, decision: 'allow', grantId: randomUUID() }, asked, BY_SERVICE),
        ),
      );
      for (const answer of answers)
        if (answer.status === 'rejected') expect(answer.reason).toBeInstanceOf(TooManyGrants);
      return answers.filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await allowed()).toBe(5);
    for (let n = 6; n < AGENT_LIMITS.grantsPerOrganizationMax; n++)
      await createAccessToken(organizationId, { expiresAt });
    expect(await allowed()).toBe(1);
  });

  test('of an organization that allowed and revoked a thousand within a month must wait', async () => {
    const { organizationId, person } = await aPerson();
    const expiresAt = new Date(AT + AGENT_LIMITS.grantMs).toISOString();
    for (let n = 0; n < 1_000; n++) {
      const { id } = await createAccessToken(organizationId, { expiresAt });
      await grants.revoke(organizationId, id, { at: new Date(AT).toISOString(), reason: 'person' }, BY_SERVICE);
    }
    const query = queryOf(await anApplication());
    const { digest } = (await review(person, query)).body.data;
    const refused = await decide(person, { query, digest, decision: 'allow' });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'grant_limit_reached']);
  });
});
