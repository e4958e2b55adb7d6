/** The trail: every change leaves one event and one log line, and nothing else does. */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import { createAccessToken } from '#shared/agents/operator-grant.ts';
import { type AuditEvent, BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import * as purges from '#shared/recovery/purge.store.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type FakeScheduler, fakeScheduler } from '#test/fakes/scheduler.ts';
import { bearer, type Credential, callersOf } from '#test/helpers/callers.ts';
import { CANARY, newConnection } from '#test/helpers/connection-api.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { type Answered, call, type Request } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { captureLog } from '#test/helpers/log-lines.ts';
import * as oauth from '#test/helpers/oauth.ts';
import { sessionCookie, sessionToken, useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:00.000Z');
const DAY_MS = 86_400_000;
const URL_CANARY = 'https://93.184.215.14/c4n4ry-path';
const VIEWER = '198.51.100.7';
const PERSON = { kind: 'person', id: 'user-1' };

let testTable: EngineTable;
let keyFile: { remove(): void };
let scheduler: FakeScheduler;
let clockMs = AT;
let ours: string;
let session: Credential;

beforeAll(async () => {
  testTable = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  Object.assign(process.env, { QUEUE_URL_PREFIX: 'http://127.0.0.1:1/', AWS_ENDPOINT_URL_SQS: 'http://127.0.0.1:1' });
});
beforeEach(async () => {
  plantClock(() => clockMs++);
  scheduler = fakeScheduler();
  ours = randomUUID();
  session = { cookies: await sessionCookie(ours) };
});
afterEach(() => {
  scheduler.restore();
  vi.restoreAllMocks();
  clockMs = AT;
});
afterAll(async () => {
  plantClock(undefined);
  keyFile.remove();
  await testTable.stop();
});

const send = async (id: string, who: Credential, request: Partial<Request> = {}): Promise<Answered> => {
  const contract = ENDPOINTS.find((each) => each.id === id)!;
  const headers = { 'x-request-id': `request-${id}`, 'x-forwarded-for': `6.6.6.6, ${VIEWER}, 127.0.0.1` };
  return call(contract, await handlerOf(id), { ...who, ...request, headers: { ...headers, ...who.headers } });
};

const page = (query = 'limit=200', who = session): Promise<Answered> => send('list-audit-events', who, { query });
/** All events, oldest first. */
const trail = async () => (await page()).body.data.toReversed();
const actions = async (): Promise<string[]> => (await trail()).map(({ action }: { action: string }) => action);

const purge = (organizationId: string, connectionId: string) => purges.end(organizationId, connectionId, []);

describe('each change shows', () => {
  test('of API keys, with who, what, when, request and addresses', async () => {
    const { id } = (await send('create-api-key', session, { body: { name: 'erp' } })).body.data;
    await send('revoke-api-key', session, { params: { id } });
    const [created, revoked, ...more] = await trail();
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/),
      action: 'api_key.created',
      target: { kind: 'api_key', id },
      changed: [],
      author: PERSON,
      request_id: 'request-create-api-key',
      source_address: '127.0.0.1',
      forwarded_address: VIEWER,
      created_at: expect.stringMatching(/^2026-11-05T12:00:00\.\d{3}Z$/),
    });
    expect(revoked).toMatchObject({ action: 'api_key.revoked', target: { id }, request_id: 'request-revoke-api-key' });
    expect(more).toEqual([]);
  });

  test('of connections, credentials and schedules, up to the purge', async () => {
    const key = bearer((await send('create-api-key', session, { body: { name: 'erp' } })).body.data.key);
    const { id } = (await send('create-connection', session, { body: newConnection() })).body;
    const target = { kind: 'connection', id };
    const params = { id };
    await send('set-schedule', key, { params, body: { enabled: true, frequency_minutes: 60 } });
    const credentials = { rut: '76.192.083-9', password: `${CANARY}-2` };
    await send('update-connection', session, { params, body: { name: 'Otra', credentials } });
    await send('update-connection', session, { params, body: { enabled: false } });
    await send('delete-connection', session, { params });
    await purge(ours, id);
    const events = (await trail()).slice(1);
    expect(events).toMatchObject([
      { action: 'connection.created', target, changed: [], author: PERSON },
      { action: 'connection.updated', target, changed: ['schedule'], author: { kind: 'api_key' } },
      { action: 'connection.updated', target, changed: ['name', 'credentials'], author: PERSON },
      { action: 'connection.updated', target, changed: ['schedule', 'enabled'], author: PERSON },
      { action: 'connection.deleted', target, author: PERSON },
      { action: 'connection.purged', target, author: { kind: 'service', id: null }, request_id: null },
    ]);
    expect(events.at(-1)).toMatchObject({ source_address: null, forwarded_address: null });
  });

  test('of webhook endpoints, by key', async () => {
    const { id: keyId, key } = (await send('create-api-key', session, { body: { name: 'erp' } })).body.data;
    const who = bearer(key);
    const body = { url: URL_CANARY, event_types: ['sync.failed'] };
    const { id } = (await send('create-webhook', who, { body })).body.data;
    const params = { id };
    const changed = { url: `${URL_CANARY}/2`, event_types: ['sync.partial'], enabled: false };
    await send('update-webhook', who, { params, body: changed });
    await send('roll-webhook-secret', who, { params });
    await send('delete-webhook', who, { params });
    const author = { kind: 'api_key', id: keyId };
    const target = { kind: 'webhook', id };
    expect((await trail()).slice(1)).toMatchObject([
      { action: 'webhook.created', target, author },
      { action: 'webhook.updated', target, author, changed: ['url', 'event_types', 'enabled'] },
      { action: 'webhook.secret_rolled', target, author },
      { action: 'webhook.deleted', target, author },
    ]);
  });

  test('of granted applications, by person, application and the service', async () => {
    await oauth.tokensFor(session, await oauth.anApplication());
    const [{ id: first }] = await oauth.grantsOf(session);
    await send('revoke-grant', session, { params: { id: first } });
    const second = await oauth.anApplication();
    const tokens = await oauth.tokensFor(session, second);
    await oauth.sendRevocation({ token: tokens.refresh, client_id: second.clientId });
    const third = await oauth.anApplication();
    const code = await oauth.codeFor(session, third);
    const given = oauth.tokensOf(await oauth.redeem(third, code));
    await oauth.refresh(third, given.refresh);
    await oauth.redeem(third, code);
    const [{ id: newest }] = await oauth.grantsOf(session);
    const events = await trail();
    expect(events.map(({ action, author }: AuditEvent) => `${action} by ${author.kind}`)).toEqual([
      'grant.created by person',
      'grant.redeemed by application',
      'grant.revoked by person',
      'grant.created by person',
      'grant.redeemed by application',
      'grant.revoked by application',
      'grant.created by person',
      'grant.redeemed by application',
      'grant.revoked by service',
    ]);
    expect(events[0]).toMatchObject({ target: { kind: 'grant', id: first }, author: PERSON });
    expect(events[1]).toMatchObject({ target: { id: first }, author: { id: first }, source_address: '127.0.0.1' });
    // The address of the request that used the code again, although the service ended the grant.
    expect(events[8]).toMatchObject({ target: { id: newest }, source_address: '127.0.0.1' });
    const operators = await createAccessToken(ours, { expiresAt: new Date(AT + DAY_MS).toISOString() });
    expect((await trail()).at(-1)).toMatchObject({
      action: 'grant.created',
      target: { id: operators.id },
      author: { kind: 'service' },
    });
  });

  test('of sessions', async () => {
    await send('open-session', {}, { body: { access_token: await sessionToken({ organizationId: ours }) } });
    await send('close-session', session);
    expect(await trail()).toMatchObject([
      { action: 'session.opened', target: { kind: 'session', id: null }, author: PERSON, forwarded_address: VIEWER },
      { action: 'session.closed', target: { kind: 'session', id: null }, author: PERSON },
    ]);
  });
});

describe('without a change there is no event', () => {
  test('if a request repeats what is true already', async () => {
    const { id: keyId } = (await send('create-api-key', session, { body: { name: 'erp' } })).body.data;
    await send('revoke-api-key', session, { params: { id: keyId } });
    const { id } = (await send('create-connection', session, { body: newConnection() })).body;
    const hook = { url: URL_CANARY, event_types: ['sync.failed'] };
    const { id: hookId } = (await send('create-webhook', session, { body: hook })).body.data;
    const before = await actions();
    const again = [
      await send('revoke-api-key', session, { params: { id: keyId } }),
      await send('update-connection', session, { params: { id }, body: { name: 'Principal', enabled: true } }),
      await send('update-connection', session, { params: { id }, body: { enabled_scopes: ['rcv'], metadata: {} } }),
      await send('set-schedule', session, { params: { id }, body: { enabled: false } }),
      await send('update-webhook', session, { params: { id: hookId }, body: { ...hook, enabled: true } }),
    ];
    expect(again.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(await actions()).toEqual(before);
  });

  test('if another request made the same change since this one read', async () => {
    const { id } = (await send('create-connection', session, { body: newConnection() })).body;
    const hook = { url: URL_CANARY, event_types: ['sync.failed'] };
    const { id: hookId } = (await send('create-webhook', session, { body: hook })).body.data;
    const connection = (await connections.find(ours, id))!;
    const endpoint = (await webhooks.find(ours, hookId))!;
    const rename = () => connections.change(connection, { name: 'Otra' }, BY_SERVICE);
    const subscribe = () => webhooks.change(endpoint, { eventTypes: ['sync.partial'] }, BY_SERVICE);
    await Promise.all([rename(), subscribe()]);
    await expect(rename()).rejects.toThrow(connections.ConnectionConflict);
    await expect(subscribe()).rejects.toThrow(webhooks.EndpointConflict);
    const updates = (await actions()).filter((action) => action.endsWith('.updated'));
    expect(updates.sort()).toEqual(['connection.updated', 'webhook.updated']);
  });

  test('if a creation is repeated with its Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const create = () => send('create-connection', { ...session, headers }, { body: newConnection() });
    const [first, again] = [await create(), await create()];
    expect([again.status, again.body.id]).toEqual([201, first.body.id]);
    expect(await actions()).toEqual(['connection.created']);
  });

  test('if a request is refused', async () => {
    const callers = await callersOf(ours);
    const before = await actions();
    const id = randomUUID();
    const refused = [
      await send('create-api-key', callers.key, { body: { name: 'erp' } }),
      await send('create-api-key', session, { body: { name: '' } }),
      await send('create-webhook', callers['access-token'], {
        body: { url: URL_CANARY, event_types: ['sync.failed'] },
      }),
      await send('delete-connection', session, { params: { id } }),
      await send('delete-webhook', session, { params: { id } }),
      await send('roll-webhook-secret', session, { params: { id } }),
      await send('revoke-grant', session, { params: { id } }),
      await send('open-session', {}, { body: { access_token: 'no.session.atall' } }),
    ];
    expect(refused.map(({ status }) => status)).toEqual([403, 422, 403, 404, 404, 404, 404, 401]);
    // Signs out nobody, and is no error.
    expect((await send('close-session', { cookies: ['sb-access-token=junk'] })).status).toBe(204);
    expect((await send('close-session', {})).status).toBe(204);
    expect(await actions()).toEqual(before);
  });

  test('if its transaction fails, and no change is without its event', async () => {
    const { id } = (await send('create-connection', session, { body: newConnection() })).body;
    await purge(ours, id);
    await table.update(keys.connection(ours, id), { set: { open_runs: new Set([newId()]) } });
    expect((await send('delete-connection', session, { params: { id } })).status).toBe(409);
    expect(await actions()).toEqual(['connection.created']);
  });
});

test('events and log lines hold no secret, name, address of a receiver or RUT, and each event has one line', async () => {
  const log = captureLog();
  const { id, key } = (await send('create-api-key', session, { body: { name: 'c4n4ry-name' } })).body.data;
  const connection = (await send('create-connection', session, { body: newConnection() })).body;
  const { secret } = (
    await send('create-webhook', session, { body: { url: URL_CANARY, event_types: ['sync.failed'] } })
  ).body.data;
  const application = await oauth.anApplication({ client_name: 'c4n4ry-client' });
  const tokens = await oauth.tokensFor(session, application);
  await send('update-connection', session, {
    params: { id: connection.id },
    body: { name: 'c4n4ry-name-2', credentials: { rut: '76.192.083-9', password: `${CANARY}-2` } },
  });
  const lines = log
    .text()
    .split('\n')
    .filter((line) => line.includes('"a change was made"'))
    .map((line) => JSON.parse(line));
  const items = await table.query(keys.auditEvent(ours, '').pk);
  const texts = `${JSON.stringify(items)}${log.text()}`;
  for (const canary of ['c4n4ry', '76.192.083-9', '76192083', key, secret, ...Object.values(tokens)])
    expect(texts).not.toContain(canary);
  expect(lines.map(({ event_id }) => event_id)).toEqual(items.map(({ sk }) => sk));
  expect(lines[0]).toMatchObject({
    organization_id: ours,
    operation: 'create-api-key',
    action: 'api_key.created',
    target_id: id,
    author: 'person',
    request_id: 'request-create-api-key',
    address: '127.0.0.1',
    forwarded_address: VIEWER,
  });
  // The subject of a session may be any text, for example an e-mail address: it is only in the event.
  expect(lines[0]).not.toHaveProperty('author_id');
});
