/**
 * Every endpoint × every credential, good and bad: status and code equal those written by hand in `who-may-call.ts`.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as apiKeys from '#shared/auth/api-key.store.ts';
import type { Auth, EndpointContract } from '#shared/http/contract.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { isDescribed } from '#shared/http/openapi/description.ts';
import { operationId } from '#shared/http/openapi/names.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { bearer, type Credential, callersOf, keyOf } from '#test/helpers/callers.ts';
import { OPERATIONS } from '#test/helpers/description.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { call } from '#test/helpers/http.ts';
import { sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { judged, WHO_MAY_CALL } from '#test/helpers/who-may-call.ts';

const ORGANIZATION = '11111111-1111-4111-8111-111111111111';
const UNKNOWN = `svc_sk_${'x'.repeat(43)}`;
const MAY: Record<Auth, Caller['kind'][]> = {
  public: ['key', 'session', 'access-token'],
  read: ['key', 'session', 'access-token'],
  manage: ['key', 'session'],
  session: ['session'],
  key: ['key'],
};
const KINDS: Caller['kind'][] = ['key', 'session', 'access-token'];

let table: EngineTable;
let callers: Record<Caller['kind'], Credential>;
const bad: Record<string, Credential> = {};

beforeAll(async () => {
  table = await startEngineTable();
  useSharedSecretIssuer();
  callers = await callersOf(ORGANIZATION);
  const revoked = await keyOf(ORGANIZATION);
  await apiKeys.revoke(ORGANIZATION, revoked.key.id, nowIso(), BY_SERVICE);
  const expired = await keyOf(ORGANIZATION, new Date(nowMs() - 1).toISOString());
  const { cookies } = callers.session as { cookies: string[] };
  const bareKey = callers.key.headers!.authorization!.replace('Bearer ', '');
  Object.assign(bad, {
    'no credential': {},
    'an unknown key': bearer(UNKNOWN),
    'a revoked key': bearer(revoked.token),
    'an expired key': bearer(expired.token),
    'an unknown access token': bearer(UNKNOWN.replace('sk', 'at')),
    'an expired session': { cookies: [`sb-access-token=${await sessionToken({ expiresIn: -1 })}`] },
    'a malformed cookie': { cookies: ['sb-access-token=x.y.z'] },
    'a malformed header beside a valid cookie': { headers: { authorization: 'Bearer' }, cookies },
    'a header of another scheme': { headers: { authorization: `Basic ${btoa(`user:${UNKNOWN}`)}` } },
    'a valid key without its scheme': { headers: { authorization: bareKey } },
    'an unknown key beside a valid cookie': { ...bearer(UNKNOWN), cookies },
    'a session token as bearer': bearer(await sessionToken({ organizationId: ORGANIZATION })),
  });
});
afterAll(() => table.stop());

const BAD_NAMES = [
  'no credential',
  'an unknown key',
  'a revoked key',
  'an expired key',
  'an unknown access token',
  'an expired session',
  'a malformed cookie',
  'a malformed header beside a valid cookie',
  'a header of another scheme',
  'a valid key without its scheme',
  'an unknown key beside a valid cookie',
  'a session token as bearer',
];

/** Path, query and body are so wrong that only an error of credentials can come first. */
const WRONG = { query: 'limit=x&limit=y', headers: { 'content-type': 'text/plain' }, body: '{' };

const request = (credential: Credential) => ({
  ...WRONG,
  ...credential,
  headers: { ...WRONG.headers, ...credential.headers },
});

/** Not in the description. All but this one accept anybody: pages for people, and the answer to unknown routes. */
const UNDESCRIBED: Readonly<Record<string, Auth>> = { 'show-session': 'session' };

const authOf = (contract: EndpointContract): Auth =>
  isDescribed(contract) ? judged(operationId(contract))[0] : (UNDESCRIBED[contract.id] ?? 'public');

test('every operation of the description has an entry, and nothing else', () => {
  expect(Object.keys(WHO_MAY_CALL).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
  expect(ENDPOINTS.filter(isDescribed).map(operationId).sort()).toEqual(OPERATIONS.map(({ id }) => id).sort());
});

describe.each(ENDPOINTS.map((contract) => [contract.id, contract] as const))('%s', (id, contract) => {
  const auth = authOf(contract);
  const isPublic = auth === 'public';

  test.each(BAD_NAMES)(`${isPublic ? 'looks not at' : 'refuses'} %s`, async (name) => {
    const answer = await call(contract, await handlerOf(id), request(bad[name]!));
    if (isPublic) return expect([401, 403, 500]).not.toContain(answer.status);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({ error: { code: 'unauthorized', message: expect.any(String) } });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each(KINDS)(`by %s: "${auth}"`, async (kind) => {
    const answer = await call(contract, await handlerOf(id), request(callers[kind]));
    if (MAY[auth].includes(kind)) return expect([401, 403, 500]).not.toContain(answer.status);
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden']);
    if (kind === 'access-token')
      expect(answer.body.error.message).toBe('OAuth access tokens cannot perform this action');
  });
});

const unsafe = ENDPOINTS.filter(({ auth, method }) => auth !== 'public' && auth !== 'key' && method !== 'GET');

test.each(unsafe.map((contract) => [contract.id, contract] as const))(
  '%s refuses a foreign page',
  async (id, contract) => {
    const { cookies } = callers.session as { cookies: string[] };
    const foreign = { cookies, headers: { origin: 'https://evil.test' } };
    expect((await call(contract, await handlerOf(id), request(foreign))).status).toBe(403);
  },
);
