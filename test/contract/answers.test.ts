/** Exact answers of the main endpoints: envelope, status, key set, types. Also checks absent keys. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '#infra/endpoints.gen.ts';
import type { Caller } from '#shared/http/endpoint.ts';
import { plantClock } from '#shared/platform/clock.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { type Credential, callersOf } from '#test/helpers/callers.ts';
import { newConnection } from '#test/helpers/connection-api.ts';
import { handlerOf } from '#test/helpers/handlers.ts';
import { type Answered, call, type Request } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

const AT = Date.parse('2026-11-05T12:00:30.000Z');
let organizations = 0;
let table: EngineTable;
let keyFile: { remove(): void };

beforeAll(async () => {
  table = await startEngineTable();
  keyFile = useKeyFile();
  useSharedSecretIssuer();
  process.env.WEBHOOK_LOOPBACK_ALLOWED = 'true';
  plantClock(() => AT);
});
afterAll(async () => {
  plantClock(undefined);
  keyFile.remove();
  await table.stop();
});

type Send = (id: string, request?: Partial<Request> & { as?: Caller['kind'] }) => Promise<Answered>;

/** A new organization, so that tests do not share limits. */
const anOrganization = async (): Promise<{
  send: Send;
  organizationId: string;
  callers: Record<string, Credential>;
}> => {
  const organizationId = `00000000-0000-4000-8000-${String(++organizations).padStart(12, '0')}`;
  const callers = await callersOf(organizationId);
  const send: Send = async (id, { as = 'session', ...request } = {}) => {
    const contract = ENDPOINTS.find((each) => each.id === id)!;
    const { headers, cookies } = callers[as];
    return call(contract, await handlerOf(id), {
      ...request,
      ...(cookies ? { cookies } : {}),
      headers: { ...headers, ...request.headers },
    });
  };
  return { send, organizationId, callers };
};

const UUID = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
const INSTANT = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const connect = async (send: Send): Promise<string> =>
  (await send('create-connection', { body: newConnection() })).body.id;

describe('sync', () => {
  test('202 without envelope; the run in the list and by its id', async () => {
    const { send } = await anOrganization();
    const id = await connect(send);
    const started = await send('start-sync', { params: { id } });
    expect([started.status, started.body]).toEqual([
      202,
      { sync_id: UUID, connection_id: id, scopes: ['rcv'], status: 'queued' },
    ]);
    const run = {
      id: started.body.sync_id,
      connection_id: id,
      scopes: ['rcv'],
      scope_outcomes: [
        {
          scope: 'rcv',
          status: 'queued',
          records_found: null,
          duration_ms: null,
          period: null,
          periods: [],
          error_code: null,
          error_message: null,
          notices: [],
        },
      ],
      status: 'queued',
      trigger: 'manual',
      started_at: null,
      finished_at: null,
      created_at: INSTANT,
      error_code: null,
      error_message: null,
      records_found: null,
      records_created: null,
      records_updated: null,
      progress: { stage: 'queued', message: null, updated_at: INSTANT },
    };
    expect((await send('list-sync-runs', { params: { id } })).body).toEqual({ data: [run] });
    const params = { id, runId: started.body.sync_id };
    expect((await send('get-sync-run', { params })).body).toEqual({ data: { ...run, input_metadata: {} } });
    const cancelled = await send('cancel-sync-run', { params });
    expect([cancelled.status, cancelled.body.data.status, 'input_metadata' in cancelled.body.data]).toEqual([
      200,
      'cancelled',
      false,
    ]);
    expect((await send('cancel-sync-run', { params })).text).toBe(cancelled.text);
  });

  test('input_metadata is what was sent', async () => {
    const { send } = await anOrganization();
    const id = await connect(send);
    const metadata = { periods: ['2026-10'] };
    const { body } = await send('start-sync', { params: { id }, body: { scopes: null, metadata } });
    const run = await send('get-sync-run', { params: { id, runId: body.sync_id }, as: 'access-token' });
    expect(run.body.data.input_metadata).toEqual(metadata);
  });

  test.each([
    [{ scopes: [] }, 'sync_invalid_scopes'],
    [{ scopes: ['boletas'] }, 'sync_invalid_scopes'],
    [{ scopes: ['x'.repeat(100)] }, 'sync_invalid_scopes'],
    [{ scopes: ['rcv', 'rcv'] }, 'sync_invalid_scopes'],
    [{ scopes: 'rcv' }, 'validation_error'],
    [{ metadata: { codigos: ['1-1-LE25'] } }, 'sync_invalid_metadata'],
    [{ metadata: { periods: ['2026-13'] } }, 'sync_invalid_metadata'],
    [{ metadata: { from_period: '2026-01' } }, 'sync_invalid_metadata'],
    [{ metadata: { from_period: '2026-02', to_period: '2026-01' } }, 'sync_invalid_metadata'],
    [{ metadata: { from_period: '2020-01', to_period: '2026-01' } }, 'sync_invalid_metadata'],
    [{ metadata: [] }, 'validation_error'],
    [{ other: 1 }, 'validation_error'],
  ])('%j: 422 %s', async (body, code) => {
    const { send } = await anOrganization();
    const answer = await send('start-sync', { params: { id: await connect(send) }, body });
    expect([answer.status, answer.body.error.code]).toEqual([422, code]);
  });

  test('a disabled connection: 409', async () => {
    const { send } = await anOrganization();
    const id = await connect(send);
    await send('update-connection', { params: { id }, body: { enabled: false } });
    const answer = await send('start-sync', { params: { id } });
    expect([answer.status, answer.body.error.code]).toEqual([409, 'connection_disabled']);
  });

  test('more than 20 open runs: 429 with Retry-After', async () => {
    const { send } = await anOrganization();
    const id = await connect(send);
    for (let n = 0; n < SYNC_LIMITS.openRunsPerConnectionMax; n++)
      expect((await send('start-sync', { params: { id } })).status).toBe(202);
    const answer = await send('start-sync', { params: { id } });
    expect([answer.status, answer.body.error.code]).toEqual([429, 'rate_limited']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expect(answer.headers.ratelimit).toMatch(/^"sync-starts";r=\d+;t=\d+$/);
  });

  test('more starts a minute than allowed: 429 until the minute is over, and not stored under a key', async () => {
    process.env.SYNC_STARTS_PER_MINUTE = '2';
    try {
      const { send } = await anOrganization();
      const id = await connect(send);
      const headers = { 'idempotency-key': 'k' };
      const told = ({ headers }: { headers: Record<string, string> }) => [
        headers.ratelimit,
        headers['ratelimit-policy'],
      ];
      const quota = (left: number) => [`"sync-starts";r=${left};t=30`, '"sync-starts";q=2;w=60'];
      for (const left of [1, 0]) expect(told(await send('start-sync', { params: { id } }))).toEqual(quota(left));
      const answer = await send('start-sync', { params: { id }, headers });
      expect([answer.status, answer.body.error.code, answer.headers['retry-after']]).toEqual([
        429,
        'rate_limited',
        '30',
      ]);
      expect(told(answer)).toEqual(quota(0));
      plantClock(() => AT + 30_000);
      expect((await send('start-sync', { params: { id }, headers })).status).toBe(202);
    } finally {
      plantClock(() => AT);
      delete process.env.SYNC_STARTS_PER_MINUTE;
    }
  });

  test('the last ten runs, newest first; expired ones are gone', async () => {
    const { send, organizationId } = await anOrganization();
    const id = await connect(send);
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) {
      plantClock(() => AT + n);
      ids.unshift((await send('start-sync', { params: { id } })).body.sync_id);
    }
    const listed = (await send('list-sync-runs', { params: { id } })).body.data.map((run: { id: string }) => run.id);
    expect(listed).toEqual(ids.slice(0, 10));
    plantClock(() => AT + (PLATFORM_LIMITS.retentionDays + 1) * 86_400_000);
    expect(await runs.find(organizationId, id, ids[0]!)).toBeUndefined();
    plantClock(() => AT);
  });
});

describe('connections', () => {
  test('delete: 409 while a run is open, then 200, then 404', async () => {
    const { send } = await anOrganization();
    const id = await connect(send);
    const { body } = await send('start-sync', { params: { id } });
    const refused = await send('delete-connection', { params: { id } });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'connection_sync_in_progress']);
    await send('cancel-sync-run', { params: { id, runId: body.sync_id } });
    expect((await send('delete-connection', { params: { id } })).body).toEqual({ data: { id, deleted: true } });
    for (const operation of ['delete-connection', 'get-connection', 'list-sync-runs', 'start-sync'])
      expect((await send(operation, { params: { id } })).body.error.code).toBe('connection_not_found');
  });

  test('no credential leaves, on no way', async () => {
    const { send } = await anOrganization();
    const id = await connect(send);
    for (const answer of [await send('get-connection', { params: { id } }), await send('list-connections')]) {
      expect(answer.text).not.toMatch(/c4n4ry|credential|ciphertext|password/i);
      expect(answer.headers['cache-control']).toBe('no-store');
    }
  });

  test.each([
    ['x'.repeat(121), 422],
    ['x'.repeat(120), 201],
    ['🦊'.repeat(120), 201],
    [`  ${'x'.repeat(120)}  `, 201],
    ['   ', 422],
    ['\ud800', 400],
  ])('name %j: %i', async (name, status) => {
    const { send } = await anOrganization();
    const answer = await send('create-connection', { body: newConnection({ name }) });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.body.name).toBe(name.trim());
  });
});

test('API keys: list without tokens, revoked the same twice', async () => {
  const { send } = await anOrganization();
  const body = { name: 'CI', expires_at: '2027-01-01T00:00:00-03:00' };
  const { key, ...shown } = (await send('create-api-key', { body })).body.data;
  expect(key).toMatch(/^svc_sk_[A-Za-z0-9_-]{43}$/);
  expect(shown).toEqual({
    id: UUID,
    name: 'CI',
    display_prefix: key.slice(0, 13),
    status: 'active',
    last_used_at: null,
    expires_at: '2027-01-01T03:00:00.000Z',
    revoked_at: null,
    created_at: INSTANT,
    created_by: { kind: 'person', id: 'user-1' },
  });
  const list = await send('list-api-keys');
  expect(list.body.data).toContainEqual(shown);
  expect(list.text).not.toContain(key);
  const revoked = await send('revoke-api-key', { params: { id: shown.id } });
  expect(revoked.body).toEqual({ data: { ...shown, status: 'revoked', revoked_at: INSTANT } });
  expect((await send('revoke-api-key', { params: { id: shown.id } })).text).toBe(revoked.text);
  expect((await send('revoke-api-key', { params: { id: randomUUID() } })).body.error.code).toBe('api_key_not_found');
});

test('webhooks: the secret only in two answers, deliveries paginated', async () => {
  const { send } = await anOrganization();
  const body = { url: 'https://93.184.215.14/hook', event_types: ['sync.failed', 'sync.succeeded'] };
  const made = await send('create-webhook', { body, as: 'key' });
  const { secret, ...shown } = made.body.data;
  expect(made.status).toBe(201);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const unused = { enabled: true, disabled_at: null, disabled_reason: null, last_success_at: null };
  const created = { created_at: INSTANT, created_by: { kind: 'api_key', id: UUID } };
  expect(shown).toEqual({ id: UUID, ...body, ...unused, ...created });
  const params = { id: shown.id };
  expect((await send('get-webhook', { params })).body).toEqual({ data: shown });
  expect((await send('list-webhooks')).body).toEqual({ data: [shown] });
  const rolled = await send('roll-webhook-secret', { params });
  expect(rolled.body.data).toEqual({ ...shown, secret: expect.stringMatching(/^whsec_/) });
  expect(rolled.body.data.secret).not.toBe(secret);
  expect((await send('list-webhook-deliveries', { params })).body).toEqual({
    data: [],
    pagination: { total: 0, limit: 50, offset: 0, has_more: false },
  });
  expect((await send('update-webhook', { params, body: { enabled: false } })).body.data).toEqual({
    ...shown,
    enabled: false,
    disabled_at: INSTANT,
    disabled_reason: 'manual',
  });
  expect((await send('update-webhook', { params, body: { enabled: true }, as: 'key' })).status).toBe(403);
  expect((await send('update-webhook', { params, body: { enabled: true } })).body.data.enabled).toBe(true);
  expect((await send('delete-webhook', { params })).body).toEqual({ data: { id: shown.id, deleted: true } });
  expect((await send('get-webhook', { params })).body.error.code).toBe('webhook_endpoint_not_found');
  for (const event_types of [[], ['sync.failed', 'sync.failed'], ['sync.started']])
    expect((await send('create-webhook', { body: { ...body, event_types } })).status).toBe(422);
});
