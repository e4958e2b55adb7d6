import { DynamoDBDocumentClient, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { contract as createContract } from '#functions/api/api-keys/create-api-key/contract.ts';
import { handler as create } from '#functions/api/api-keys/create-api-key/handler.ts';
import { contract as listContract } from '#functions/api/api-keys/list-api-keys/contract.ts';
import { handler as list } from '#functions/api/api-keys/list-api-keys/handler.ts';
import { contract as revokeContract } from '#functions/api/api-keys/revoke-api-key/contract.ts';
import { handler as revoke } from '#functions/api/api-keys/revoke-api-key/handler.ts';
import { contract as readContract } from '#functions/api/connections/list-connections/contract.ts';
import { handler as read } from '#functions/api/connections/list-connections/handler.ts';
import { findToken, newToken } from '#shared/auth/token.store.ts';
import { nowMs, plantClock } from '#shared/platform/clock.ts';
import { bearer, type Credential, callersOf } from '#test/helpers/callers.ts';
import { startTable, type TestTable } from '#test/helpers/dynamo.ts';
import { call } from '#test/helpers/http.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';
import { tableText } from '#test/helpers/table-text.ts';

const OURS = '11111111-1111-4111-8111-111111111111';
const THEIRS = '22222222-2222-4222-8222-222222222222';
const AT = Date.parse('2026-11-05T12:00:00.000Z');

let table: TestTable;
let session: Credential;

beforeAll(async () => {
  table = await startTable();
  useSharedSecretIssuer();
  plantClock(() => AT);
  session = (await callersOf(OURS)).session;
});
afterEach(() => plantClock(() => AT));
afterAll(async () => {
  plantClock(undefined);
  await table.stop();
});

const created = async (body: object = { name: 'erp' }) =>
  (await call(createContract, create, { ...session, body })).body.data;
const reads = async (token: string) => (await call(readContract, read, bearer(token))).status;
const later = (ms: number) => plantClock(() => AT + ms);

test('an unknown key is looked up: where there is no table it is no 401, as the smoke test of a deploy asks', async () => {
  const unknown = newToken('key');
  expect(await reads(unknown)).toBe(401);
  vi.stubEnv('TABLE_NAME', 'test-no-such-table');
  expect(await reads(unknown)).toBe(500);
});

test('a key is shown once, works at once, and is listed without its token', async () => {
  const answer = await call(createContract, create, { ...session, body: { name: '  erp  ' } });
  expect(answer.status).toBe(201);
  const { key, ...shown } = answer.body.data;
  expect(key).toMatch(/^svc_sk_[\w-]{43}$/);
  expect(shown).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
    name: 'erp',
    display_prefix: key.slice(0, 13),
    status: 'active',
    last_used_at: null,
    expires_at: null,
    revoked_at: null,
    created_at: '2026-11-05T12:00:00.000Z',
    created_by: { kind: 'person', id: 'user-1' },
  });
  const listed = await call(listContract, list, session);
  expect(listed.body.data).toContainEqual(shown);
  expect(listed.text).not.toContain(key);
  expect(await reads(key)).toBe(200);
  expect((await tableText()).includes(key.slice(7))).toBe(false);
});

test('the list has the newest first, and only the own', async () => {
  const first = await created();
  later(1);
  const second = await created();
  const ids = (await call(listContract, list, session)).body.data.map(({ id }: { id: string }) => id);
  expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
  const { session: stranger } = await callersOf(THEIRS);
  const theirs = (await call(listContract, list, stranger)).body.data.map(({ id }: { id: string }) => id);
  expect(theirs).not.toContain(first.id);
});

test('revocation counts from the next request, and again changes nothing', async () => {
  const { id, key } = await created();
  const answer = await call(revokeContract, revoke, { ...session, params: { id: id.toUpperCase() } });
  expect(answer.status).toBe(200);
  expect(answer.body.data).toMatchObject({ id, status: 'revoked', revoked_at: '2026-11-05T12:00:00.000Z' });
  expect(await reads(key)).toBe(401);
  later(5_000);
  expect((await call(revokeContract, revoke, { ...session, params: { id } })).body).toEqual(answer.body);
});

test('two revocations at a time are one', async () => {
  const { id } = await created();
  const both = await Promise.all([1, 2].map(() => call(revokeContract, revoke, { ...session, params: { id } })));
  expect(both.map(({ status }) => status)).toEqual([200, 200]);
  expect(both[0]!.body).toEqual(both[1]!.body);
});

test('a key of somebody else is answered as an unknown one', async () => {
  const { id, key } = await created();
  const { session: stranger } = await callersOf(THEIRS);
  const foreign = await call(revokeContract, revoke, { ...stranger, params: { id } });
  const unknown = await call(revokeContract, revoke, { ...stranger, params: { id: OURS } });
  expect([foreign.status, foreign.text]).toEqual([404, unknown.text]);
  expect(foreign.body.error.code).toBe('api_key_not_found');
  expect(await reads(key)).toBe(200);
});

test('an expiry of any offset is stored in UTC, and applies', async () => {
  const { key, expires_at } = await created({ name: 'short', expires_at: '2026-11-05T10:00:00-03:00' });
  expect(expires_at).toBe('2026-11-05T13:00:00.000Z');
  expect(await reads(key)).toBe(200);
  later(3_600_000);
  expect(await reads(key)).toBe(401);
  const listed = (await call(listContract, list, { cookies: session.cookies ?? [] })).status;
  // The session of this test has also expired.
  expect(listed).toBe(401);
});

test.each([
  [{}, 'name is required'],
  [{ name: '' }, 'name must have at least 1 characters'],
  [{ name: '   ' }, 'name must have at least 1 characters'],
  [{ name: 'x'.repeat(121) }, 'name must have at most 120 characters'],
  [{ name: 7 }, 'name must be a string'],
  [{ name: 'x', expires_at: '2026-11-05T12:00:00Z' }, 'expires_at must be in the future'],
  [{ name: 'x', expires_at: '2026-11-06' }, 'expires_at must be an ISO 8601 date-time with seconds and offset'],
  [
    { name: 'x', expires_at: '2026-11-06T10:00:00' },
    'expires_at must be an ISO 8601 date-time with seconds and offset',
  ],
  [{ name: 'x', expires_at: '2026-12-31T10:00Z' }, 'expires_at must be an ISO 8601 date-time with seconds and offset'],
  [
    { name: 'x', expires_at: '2026-02-30T10:00:00Z' },
    'expires_at must be an ISO 8601 date-time with seconds and offset',
  ],
  [{ name: 'x', role: 'admin' }, 'role is not a known property. Known: name, expires_at'],
])('%j: 422 %s', async (body, message) => {
  const answer = await call(createContract, create, { ...session, body });
  expect([answer.status, answer.body.error]).toEqual([422, { code: 'validation_error', message }]);
});

test('null means no expiry', async () => {
  expect((await created({ name: 'x', expires_at: null })).expires_at).toBeNull();
});

test('the use of a key is stored at once and then at most once a minute', async () => {
  const { id, key } = await created();
  const noted = async () => {
    const { data } = (await call(listContract, list, session)).body;
    return data.find((one: { id: string }) => one.id === id).last_used_at;
  };
  await reads(key);
  expect(await noted()).toBe('2026-11-05T12:00:00.000Z');
  later(59_999);
  await reads(key);
  expect(await noted()).toBe('2026-11-05T12:00:00.000Z');
  later(60_000);
  await Promise.all([reads(key), reads(key), reads(key)]);
  expect(await noted()).toBe('2026-11-05T12:01:00.000Z');
  expect((await findToken(key))?.lastUsedAt).toBe(new Date(nowMs()).toISOString());
});

test('a use that cannot be stored refuses nobody, and is reported', async () => {
  const { key } = await created();
  const logs = captureLog();
  const real = DynamoDBDocumentClient.prototype.send as (command: unknown) => Promise<unknown>;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (this: unknown, command: unknown) {
    if (command instanceof TransactWriteCommand)
      throw Object.assign(new Error('no right'), { name: 'AccessDeniedException' });
    return real.call(this, command);
  } as never);
  expect(await reads(key)).toBe(200);
  const told = logs.text();
  expect(told).toContain('"message":"the use of a token was not recorded"');
  expect(told).toContain('"error_name":"AccessDeniedException"');
  expect(told).not.toContain(key);
});
