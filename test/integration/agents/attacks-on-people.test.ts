/** Who may decide and revoke, where a token is valid, and what data remains afterwards. */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { contract as listConnections } from '#functions/api/connections/list-connections/contract.ts';
import { handler as getMetadata } from '#functions/api/oauth/get-oauth-metadata/handler.ts';
import { contract as revokeContract } from '#functions/api/oauth/revoke-grant/contract.ts';
import { handler as revokeGrant } from '#functions/api/oauth/revoke-grant/handler.ts';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { contentSecurityPolicy, PAGE_HEADERS } from '#infra/web/page-headers.ts';
import { newId } from '#shared/platform/ids.ts';
import { bearer, type Credential, callersOf } from '#test/helpers/callers.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { answered, call, eventOf } from '#test/helpers/http.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import {
  anApplication,
  codeFor,
  decide,
  grantsOf,
  ORIGIN,
  queryOf,
  redeem,
  refresh,
  register,
  review,
  sendRevocation,
  tokensFor,
  tokensOf,
} from '#test/helpers/oauth.ts';
import { sessionCookie, sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { tableText } from '#test/helpers/table-text.ts';

let table: TestTable;
let organizations = 0;

beforeAll(async () => {
  table = await startTable();
  useSharedSecretIssuer();
});
afterAll(() => table.stop());

const anOrganization = (): string => `00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`;
const aPerson = async (): Promise<Credential> => ({ cookies: await sessionCookie(anOrganization()) });

const operation = async (id: string, credential: Credential, more: Parameters<typeof call>[2] = {}) =>
  call(ENDPOINTS.find((each) => each.id === id)!, await handlerOf(id), { ...more, ...credential });

describe('attack 21: a foreign page', () => {
  test.each([
    [{ origin: 'https://evil.test' }],
    [{ origin: 'null' }],
    [{ origin: ORIGIN, 'sec-fetch-site': 'cross-site' }],
    [{ 'sec-fetch-site': 'same-site' }],
  ])('attack 21: decides nothing with the person’s cookie (%j)', async (headers) => {
    const person = await aPerson();
    const query = queryOf(await anApplication());
    const { digest } = (await review(person, query)).body.data;
    const foreign = { ...person, headers };
    const answer = await decide(foreign, { query, digest, decision: 'allow' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    expect((await review(foreign, query)).status).toBe(403);
    expect(
      (await decide({ ...person, headers: { origin: ORIGIN } }, { query, digest, decision: 'allow' })).status,
    ).toBe(200);
  });

  test('attack 21: as a form, which needs no preflight, it also fails', async () => {
    const person = await aPerson();
    const query = queryOf(await anApplication());
    const { digest } = (await review(person, query)).body.data;
    const body = JSON.stringify({ query, digest, decision: 'allow' });
    for (const type of ['text/plain', 'application/x-www-form-urlencoded'])
      expect(
        (await operation('decide-authorization', { ...person, headers: { 'content-type': type } }, { body })).status,
      ).toBe(415);
  });
});

test('attack 22: no page can show the decision page in a frame', () => {
  expect(contentSecurityPolicy([])).toContain("frame-ancestors 'none'");
  expect(PAGE_HEADERS).toMatchObject({ 'x-frame-options': 'DENY' });
});

test('attack 24: no key and no token decides', async () => {
  const callers = await callersOf(anOrganization());
  const query = queryOf(await anApplication());
  const { digest } = (await review(callers.session, query)).body.data;
  for (const kind of ['key', 'access-token'] as const) {
    const answer = await decide(callers[kind], { query, digest, decision: 'allow' });
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    expect((await review(callers[kind], query)).status).toBe(403);
  }
  // A header takes precedence, even next to a valid session.
  const both = { ...callers.session, headers: callers['access-token'].headers! };
  expect((await decide(both, { query, digest, decision: 'allow' })).status).toBe(403);
});

test('attack 28: a token counts only in the header', async () => {
  const person = await aPerson();
  const { access } = await tokensFor(person, await anApplication());
  expect((await operation('list-connections', bearer(access))).status).toBe(200);
  for (const [query, cookies] of [
    [`access_token=${access}`, undefined],
    [`token=${access}&authorization=Bearer%20${access}`, undefined],
    ['', [`sb-access-token=${access}`]],
    ['', [`authorization=Bearer ${access}`]],
  ] as const) {
    const request = { query, ...(cookies ? { cookies: [...cookies] } : {}) };
    expect((await call(listConnections, await handlerOf('list-connections'), request)).status).toBe(401);
  }
});

test('attack 30: another organization’s grant is one that nobody has', async () => {
  const [owner, stranger] = [await aPerson(), await aPerson()];
  const application = await anApplication();
  const { access } = await tokensFor(owner, application);
  const [{ id }] = await grantsOf(owner);
  const foreign = await call(revokeContract, revokeGrant, { ...stranger, params: { id } });
  const unknown = await call(revokeContract, revokeGrant, { ...stranger, params: { id: newId() } });
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  expect(foreign.body.error.code).toBe('grant_not_found');
  expect(await grantsOf(stranger)).toEqual([]);
  expect((await operation('list-connections', bearer(access))).status).toBe(200);
});

test('attack 31: an access token reads, and does nothing else', async () => {
  const person = await aPerson();
  const { access } = await tokensFor(person, await anApplication());
  const id = newId();
  const refused = [
    ['set-schedule', { params: { id }, body: { enabled: false } }],
    ['start-sync', { params: { id } }],
    ['cancel-sync-run', { params: { id, runId: id } }],
    ['list-licitaciones', {}],
    ['get-licitacion', { params: { codigo: '1-1-LE25' } }],
    ['list-webhooks', {}],
    ['list-api-keys', {}],
    ['list-grants', {}],
    ['revoke-grant', { params: { id } }],
  ] as const;
  for (const [operationId, request] of refused) {
    const answer = await operation(operationId, bearer(access), request as never);
    expect([answer.status, answer.body.error], operationId).toEqual([
      403,
      { code: 'forbidden', message: 'OAuth access tokens cannot perform this action' },
    ]);
  }
  const [grant] = await grantsOf(person);
  await call(revokeContract, revokeGrant, { ...person, params: { id: grant.id } });
  // 401 everywhere, also where the answer was 403.
  for (const [operationId, request] of [...refused, ['list-connections', {}] as const])
    expect((await operation(operationId, bearer(access), request as never)).status, operationId).toBe(401);
});

test('attack 33: no header of a request names the server', async () => {
  const forged = {
    host: 'evil.test',
    'x-forwarded-host': 'evil.test',
    forwarded: 'host=evil.test;proto=http',
    'x-forwarded-proto': 'http',
    origin: ORIGIN,
  };
  for (const path of [
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-protected-resource/api/mcp',
  ]) {
    const answer = await answered(getMetadata, eventOf({ method: 'GET', path, headers: forged }));
    expect(answer.text).toContain(ORIGIN);
    expect(answer.text).not.toContain('evil');
  }
  const person = { ...(await aPerson()), headers: forged };
  const query = queryOf(await anApplication());
  const { digest } = (await review(person, query)).body.data;
  const { body } = await decide(person, { query, digest, decision: 'allow' });
  expect(new URL(body.data.redirect_to).searchParams.get('iss')).toBe(ORIGIN);
  expect(body.data.redirect_to).not.toContain('evil');
});

test('attack 36: table and log contain no code, token or verifier', async () => {
  const log = captureLog();
  const organizationId = anOrganization();
  const token = await sessionToken({ organizationId });
  const person = { cookies: [`sb-access-token=${token}`] };
  const application = await anApplication();
  const state = `state-${newId()}`;
  const code = await codeFor(person, application, { state });
  await redeem(application, code, { code_verifier: 'w'.repeat(43) });
  const first = tokensOf(await redeem(application, code));
  await operation('list-connections', bearer(first.access));
  const second = tokensOf(await refresh(application, first.refresh));
  await sendRevocation({ token: second.refresh, client_id: application.clientId });
  await redeem(application, code);
  const printed = log.text();
  vi.restoreAllMocks();
  const stored = await tableText();
  const secrets = [
    code,
    application.verifier,
    'w'.repeat(43),
    token,
    first.access,
    first.refresh,
    second.access,
    second.refresh,
  ];
  for (const secret of secrets) {
    const bare = secret.replace(/^svc_\w\w_/, '');
    expect(stored).not.toContain(bare);
    expect(printed).not.toContain(bare);
  }
  expect(printed).not.toContain(state);
});

test('attack 37: a flood of registrations leaves no row', async () => {
  const rows = async (): Promise<number> => (await tableText()).split('"pk":').length;
  const before = await rows();
  for (let n = 0; n < 500; n++) {
    const { status } = await register({ client_name: `Agent ${n}`, redirect_uris: [`https://agent.test/${n}`] });
    expect(status).toBe(201);
  }
  expect(await rows()).toBe(before);
});
