import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract as createContract } from '#functions/api/webhooks/create-webhook/contract.ts';
import { handler as create } from '#functions/api/webhooks/create-webhook/handler.ts';
import { contract as deleteContract } from '#functions/api/webhooks/delete-webhook/contract.ts';
import { handler as remove } from '#functions/api/webhooks/delete-webhook/handler.ts';
import { contract as getContract } from '#functions/api/webhooks/get-webhook/contract.ts';
import { handler as get } from '#functions/api/webhooks/get-webhook/handler.ts';
import { contract as deliveriesContract } from '#functions/api/webhooks/list-webhook-deliveries/contract.ts';
import { handler as listDeliveries } from '#functions/api/webhooks/list-webhook-deliveries/handler.ts';
import { contract as listContract } from '#functions/api/webhooks/list-webhooks/contract.ts';
import { handler as list } from '#functions/api/webhooks/list-webhooks/handler.ts';
import { contract as resendContract } from '#functions/api/webhooks/resend-webhook-delivery/contract.ts';
import { handler as resend } from '#functions/api/webhooks/resend-webhook-delivery/handler.ts';
import { contract as rollContract } from '#functions/api/webhooks/roll-webhook-secret/contract.ts';
import { handler as roll } from '#functions/api/webhooks/roll-webhook-secret/handler.ts';
import { contract as updateContract } from '#functions/api/webhooks/update-webhook/contract.ts';
import { handler as update } from '#functions/api/webhooks/update-webhook/handler.ts';
import { newId } from '#shared/platform/ids.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { call } from '#test/helpers/http.ts';
import { sessionCookie } from '#test/helpers/sessions.ts';
import { createEndpoint, drain, endRun, newOrganization, type Organization, openWorld, type World } from './world.ts';

/** Nobody listens on the discard port. */
const URL_HERE = 'http://127.0.0.1:9/hook';
const PUBLIC_URL = 'https://no-such-name.invalid/hook';

let world: World;
let organization: Organization;

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  organization = await newOrganization();
});
afterEach(() => {
  world.queue.length = 0;
});

const post = (body: unknown, headers: Record<string, string> = {}) =>
  call(createContract, create, { headers: { ...organization.headers, ...headers }, body });
const patch = (id: string, body: unknown) =>
  call(updateContract, update, { headers: organization.headers, params: { id }, body });
const with_ = (id: string, deliveryId?: string) => ({
  headers: organization.headers,
  params: { id, ...(deliveryId ? { deliveryId } : {}) },
});
const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  `${status} ${body.error?.code}`;

describe('create-webhook', () => {
  it('shows the secret once and keeps it encrypted', async () => {
    const { status, body } = await post({ url: PUBLIC_URL, event_types: ['sync.failed', 'sync.succeeded'] });
    expect(status).toBe(201);
    const { secret, ...endpoint } = body.data;
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      url: PUBLIC_URL,
      event_types: ['sync.failed', 'sync.succeeded'],
      enabled: true,
      disabled_at: null,
      disabled_reason: null,
      last_success_at: null,
      created_at: new Date(world.clock.ms).toISOString(),
      created_by: { kind: 'api_key', id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    const got = await call(getContract, get, with_(endpoint.id));
    expect(got.body).toEqual({ data: endpoint });
    expect((await call(listContract, list, { headers: organization.headers })).body).toEqual({ data: [endpoint] });
    const item = await table.get(keys.webhookEndpoint(organization.id, endpoint.id));
    const stored = Buffer.from(item?.secret as Uint8Array).toString('latin1');
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(Buffer.from(secret.slice(6), 'base64').toString('latin1'));
  });

  it.each([
    [{ url: 'http://example.com', event_types: ['sync.failed'] }, 'url must be an https URL'],
    [{ url: 'https://10.0.0.1/', event_types: ['sync.failed'] }, 'url must lead to the public internet'],
    [{ url: 'https://localhost/', event_types: ['sync.failed'] }, 'url must lead to the public internet'],
    [
      { url: 'https://u:p@example.com/', event_types: ['sync.failed'] },
      'url must be an https URL without user info and fragment',
    ],
    [{ url: 'https://example.com:70000/', event_types: ['sync.failed'] }, 'url must have a port of at most 65535'],
    [{ url: 'nonsense', event_types: ['sync.failed'] }, 'url must be an https URL without user info and fragment'],
    [{ url: PUBLIC_URL, event_types: [] }, 'event_types must have at least 1 items'],
    [{ url: PUBLIC_URL, event_types: ['sync.failed', 'sync.failed'] }, 'event_types must not repeat an event type'],
    [
      { url: PUBLIC_URL, event_types: ['sync.started'] },
      'event_types[0] must be one of sync.succeeded, sync.partial, sync.failed',
    ],
    [{ url: PUBLIC_URL }, 'event_types is required'],
    [{ event_types: ['sync.failed'] }, 'url is required'],
    [{ url: 7, event_types: ['sync.failed'] }, 'url must be a string'],
    [
      { url: PUBLIC_URL, event_types: ['sync.failed'], secret: 'x' },
      'secret is not a known property. Known: url, event_types',
    ],
  ])('refuses %j', async (sent, message) => {
    const answer = await post(sent);
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ error: { code: 'validation_error', message } });
  });

  it('holds at most 50 an organization, also when many are created at once', async () => {
    const body = { url: URL_HERE, event_types: ['sync.failed'] };
    const AT_ONCE = 4;
    const made = [];
    for (let n = AT_ONCE; n < WEBHOOK_LIMITS.webhookEndpointsMax; n++) made.push(await post(body));
    made.push(...(await Promise.all(Array.from({ length: 2 * AT_ONCE }, () => post(body)))));
    const refused = made.filter(({ status }) => status !== 201);
    expect(refused.map(codeOf)).toEqual(Array(AT_ONCE).fill('409 webhook_limit_reached'));
    await call(deleteContract, remove, with_(made.find(({ status }) => status === 201)!.body.data.id));
    expect((await post(body)).status).toBe(201);
  });

  it('under an Idempotency-Key makes one and returns its id to a repeat', async () => {
    const body = { url: PUBLIC_URL, event_types: ['sync.failed'] };
    const first = await post(body, { 'idempotency-key': 'once' });
    const second = await post(body, { 'idempotency-key': 'once' });
    expect(codeOf(second)).toBe('409 idempotency_key_reused');
    expect(second.text).toContain(first.body.data.id);
    expect(second.text).not.toContain('whsec_');
    expect((await call(listContract, list, { headers: organization.headers })).body.data).toHaveLength(1);
  });

  it('needs a credential', async () => {
    expect(codeOf(await post({}, { authorization: 'Bearer nonsense' }))).toBe('401 unauthorized');
  });
});

describe('an endpoint that is unknown, or of another organization', () => {
  it('is answered the same by every operation', async () => {
    const foreign = await createEndpoint(await newOrganization(), URL_HERE);
    for (const id of [foreign.id, newId(), 'nonsense']) {
      const answers = await Promise.all([
        call(getContract, get, with_(id)),
        patch(id, { enabled: false }),
        call(deleteContract, remove, with_(id)),
        call(rollContract, roll, with_(id)),
        call(deliveriesContract, listDeliveries, with_(id)),
        call(resendContract, resend, with_(id, newId())),
      ]);
      expect(answers.map(codeOf)).toEqual(Array(6).fill('404 webhook_endpoint_not_found'));
      expect(new Set(answers.map(({ body }) => body.error.message)).size).toBe(1);
    }
    expect((await table.get(keys.webhookEndpoint(organization.id, foreign.id)))?.pk).toBeUndefined();
  });
});

describe('update-webhook', () => {
  it('changes what is given', async () => {
    const { id } = await createEndpoint(organization, URL_HERE);
    const { status, body } = await patch(id, { url: PUBLIC_URL, event_types: ['sync.partial'] });
    expect([status, body.data.url, body.data.event_types]).toEqual([200, PUBLIC_URL, ['sync.partial']]);
    expect((await call(getContract, get, with_(id))).body).toEqual(body);
    expect((await patch(id, {})).body).toEqual(body);
    expect((await patch(id, { enabled: true })).body).toEqual(body);
    expect((await patch(id, { url: 'https://192.168.0.1/' })).status).toBe(422);
  });

  it('disables by a key, and enables again only by a session', async () => {
    const { id } = await createEndpoint(organization, URL_HERE);
    const [deliveryId] = await endRun(organization);
    const disabled = await patch(id, { enabled: false });
    const disabledAt = new Date(world.clock.ms).toISOString();
    expect(disabled.body.data).toMatchObject({ enabled: false, disabled_at: disabledAt, disabled_reason: 'manual' });
    const { body } = await call(deliveriesContract, listDeliveries, with_(id));
    expect(body.data).toMatchObject([
      {
        id: deliveryId,
        status: 'failed',
        attempts: 0,
        error: 'the webhook endpoint was disabled',
        last_attempt_at: null,
      },
    ]);
    expect(codeOf(await call(resendContract, resend, with_(id, deliveryId)))).toBe('409 webhook_endpoint_disabled');
    expect(codeOf(await patch(id, { enabled: true }))).toBe('403 forbidden');
    const cookies = await sessionCookie(organization.id);
    const enabled = await call(updateContract, update, { cookies, params: { id }, body: { enabled: true } });
    expect(enabled.body.data).toMatchObject({ enabled: true, disabled_at: null, disabled_reason: null });
    await drain(world);
    const after = await call(deliveriesContract, listDeliveries, with_(id));
    expect(after.body.data).toMatchObject([{ status: 'failed', attempts: 0 }]);
  });
});

describe('delete-webhook', () => {
  it('is gone at once and sends nothing that waited', async () => {
    const { id } = await createEndpoint(organization, URL_HERE);
    const [deliveryId] = await endRun(organization);
    expect((await call(deleteContract, remove, with_(id))).body).toEqual({ data: { id, deleted: true } });
    expect(codeOf(await call(deleteContract, remove, with_(id)))).toBe('404 webhook_endpoint_not_found');
    await drain(world);
    const item = await table.get(keys.delivery(organization.id, id, deliveryId!));
    expect(item).toMatchObject({ status: 'failed', attempts: 0, error: 'the webhook endpoint was deleted' });
    expect(item).not.toHaveProperty('due_pk');
  });
});

describe('list-webhook-deliveries', () => {
  it('pages newest first with the exact total', async () => {
    const { id } = await createEndpoint(organization, URL_HERE);
    const made: string[] = [];
    for (let n = 0; n < 7; n++) {
      made.unshift(...(await endRun(organization)));
      world.clock.ms += 1_000;
    }
    const page = async (query: string) =>
      (await call(deliveriesContract, listDeliveries, { ...with_(id), query })).body;
    const all = await page('');
    expect(all.data.map((delivery: { id: string }) => delivery.id)).toEqual(made);
    expect(all.pagination).toEqual({ total: 7, limit: 50, offset: 0, has_more: false });
    expect(Object.keys(all.data[0])).toEqual([
      'id',
      'event_type',
      'test',
      'status',
      'attempts',
      'response_status',
      'error',
      'last_attempt_at',
      'created_at',
    ]);
    const second = await page('limit=3&offset=3');
    expect(second.data.map((delivery: { id: string }) => delivery.id)).toEqual(made.slice(3, 6));
    expect(second.pagination).toEqual({ total: 7, limit: 3, offset: 3, has_more: true });
    expect((await page('offset=100')).data).toEqual([]);
    expect((await page('limit=201')).error.code).toBe('validation_error');
    world.clock.ms += (PLATFORM_LIMITS.retentionDays * 86_400 - 4) * 1_000;
    expect((await page('')).pagination.total).toBe(3);
  });
});

describe('resend-webhook-delivery', () => {
  it('is refused unless the delivery failed', async () => {
    const { id } = await createEndpoint(organization, URL_HERE);
    const [deliveryId] = await endRun(organization);
    expect(codeOf(await call(resendContract, resend, with_(id, deliveryId)))).toBe('409 webhook_delivery_not_failed');
    for (const unknown of [newId(), 'nonsense'])
      expect(codeOf(await call(resendContract, resend, with_(id, unknown)))).toBe('404 webhook_delivery_not_found');
  });
});
