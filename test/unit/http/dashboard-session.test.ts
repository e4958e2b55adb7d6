/** The dashboard's session cookie: which token it contains, with which attributes, and how it is deleted. */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { contract as closing } from '#functions/api/session/close-session/contract.ts';
import { handler as close } from '#functions/api/session/close-session/handler.ts';
import { contract as opening } from '#functions/api/session/open-session/contract.ts';
import { handler as open } from '#functions/api/session/open-session/handler.ts';
import { contract as showing } from '#functions/api/session/show-session/contract.ts';
import { handler as show } from '#functions/api/session/show-session/handler.ts';
import { list } from '#shared/audit/audit.store.ts';
import { type QuickTable, startQuickTable } from '#test/fakes/quick-table.ts';
import { call } from '#test/helpers/http.ts';
import { type SessionClaims, sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';

let table: QuickTable;

beforeAll(() => {
  table = startQuickTable();
});
beforeEach(useSharedSecretIssuer);
afterAll(() => table.stop());

const events = async (): Promise<string[]> =>
  (await list(ORGANIZATION, { limit: 200, before: null })).events.map(({ action }) => action);

const sent = async (claims: SessionClaims) => {
  const access_token = await sessionToken(claims);
  return { access_token, answer: await call(opening, open, { body: { access_token } }) };
};

describe('opening', () => {
  test('stores a good token where no script and no other host can write', async () => {
    const before = await events();
    const { access_token, answer } = await sent({ organizationId: ORGANIZATION, expiresIn: 600 });
    expect(answer.status).toBe(200);
    const [pair, ...attributes] = answer.headers['set-cookie']!.split('; ');
    expect(pair).toBe(`__Host-sb-access-token=${access_token}`);
    // It outlives the token: an expired one still decides.
    expect(attributes).toEqual(['Max-Age=34560000', 'Path=/', 'HttpOnly', 'SameSite=Lax', 'Secure']);
    expect(answer.headers['cache-control']).toBe('no-store');
    // The token appears only in the cookie.
    expect(answer.text).not.toContain(access_token);
    expect(table.text()).not.toContain(access_token);
    expect(await events()).toEqual(['session.opened', ...before]);
  });

  test('is not Secure on the plain http of this machine', async () => {
    process.env.PUBLIC_ORIGINS = 'http://127.0.0.1:3000';
    const { access_token, answer } = await sent({ organizationId: ORGANIZATION, expiresIn: 600 });
    const [pair, maxAge, ...attributes] = answer.headers['set-cookie']!.split('; ');
    expect(pair).toBe(`sb-access-token=${access_token}`);
    expect(Number(maxAge!.slice('Max-Age='.length))).toBeGreaterThan(590);
    expect(Number(maxAge!.slice('Max-Age='.length))).toBeLessThanOrEqual(600);
    expect(attributes).toEqual(['Path=/', 'HttpOnly', 'SameSite=Lax']);
  });

  test.each<[string, SessionClaims, number, string]>([
    ['an expired token', { organizationId: ORGANIZATION, expiresIn: -1 }, 401, 'unauthorized'],
    ['one of another issuer', { organizationId: ORGANIZATION, issuer: 'https://other.test' }, 401, 'unauthorized'],
    ['one for another audience', { organizationId: ORGANIZATION, audience: 'other' }, 401, 'unauthorized'],
    ['one signed by somebody else', { organizationId: ORGANIZATION, secret: 'x'.repeat(40) }, 401, 'unauthorized'],
    ['one that ends in no year of ours', { organizationId: ORGANIZATION, expiresIn: 1e15 }, 401, 'unauthorized'],
    ['one that ends at no number', { organizationId: ORGANIZATION, expiresIn: 1e300 }, 401, 'unauthorized'],
    ['one without organization', {}, 403, 'forbidden'],
  ])('refuses %s, and leaves the cookie unchanged', async (_, claims, status, code) => {
    const before = await events();
    const { answer } = await sent(claims);
    expect([answer.status, answer.body.error.code]).toEqual([status, code]);
    expect(answer.headers).not.toHaveProperty('set-cookie');
    expect(await events()).toEqual(before);
  });

  test.each([[''], ['x'.repeat(3_801)], [7]])('refuses what can be no token', async (access_token) => {
    const answer = await call(opening, open, { body: { access_token } });
    expect([answer.status, answer.body.error.code]).toEqual([422, 'validation_error']);
    expect(answer.body.error.message).toContain('access_token');
  });
});

const GONE = '__Host-sb-access-token=; Max-Age=34560000; Path=/; HttpOnly; SameSite=Lax; Secure';

test('closing works without the table, and opening does not', async () => {
  const access_token = await sessionToken({ organizationId: ORGANIZATION });
  const before = await events();
  const failing = vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockRejectedValue(new Error('no table') as never);
  const closed = await call(closing, close, { cookies: [`sb-access-token=${access_token}`] });
  const opened = await call(opening, open, { body: { access_token } });
  failing.mockRestore();
  expect([closed.status, closed.headers['set-cookie']]).toEqual([204, GONE]);
  expect(opened.status).toBe(500);
  expect(opened.headers).not.toHaveProperty('set-cookie');
  expect(await events()).toEqual(before);
});

test('closing empties the cookie, which still decides', async () => {
  const answer = await call(closing, close);
  expect(answer.status).toBe(204);
  expect(answer.headers['set-cookie']).toBe(GONE);
});

test('closing is possible although the cookies of a sibling host contradict each other', async () => {
  const answer = await call(closing, close, { cookies: ['sb-access-token=a', 'sb-access-token=b'] });
  expect([answer.status, answer.headers['set-cookie']]).toEqual([204, GONE]);
});

test('closing on plain http deletes the cookie', async () => {
  process.env.PUBLIC_ORIGINS = 'http://127.0.0.1:3000';
  const answer = await call(closing, close);
  expect(answer.headers['set-cookie']).toBe('sb-access-token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax');
});

test('a page of another origin opens and closes no session', async () => {
  const headers = { origin: 'https://blog.app.test', 'sec-fetch-site': 'same-site' };
  const body = { access_token: await sessionToken({ organizationId: ORGANIZATION }) };
  for (const answer of [await call(opening, open, { body, headers }), await call(closing, close, { headers })]) {
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    expect(answer.headers).not.toHaveProperty('set-cookie');
  }
});

test.each<[SessionClaims, unknown]>([
  [
    { email: 'ana@example.test', subject: 'u1' },
    { person_id: 'u1', email: 'ana@example.test' },
  ],
  [
    { email: 7, subject: 7 },
    { person_id: null, email: null },
  ],
])('a session of %j shows %j', async (claims, shown) => {
  const cookies = [`__Host-sb-access-token=${await sessionToken({ organizationId: ORGANIZATION, ...claims })}`];
  const answer = await call(showing, show, { cookies });
  expect(answer.body).toEqual({ data: { organization_id: ORGANIZATION, ...(shown as object) } });
});
