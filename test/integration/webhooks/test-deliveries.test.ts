/** Deliveries that a developer asks for to try a receiver. */
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { contract as getContract } from '#functions/api/webhooks/get-webhook/contract.ts';
import { handler as get } from '#functions/api/webhooks/get-webhook/handler.ts';
import { contract as getDeliveryContract } from '#functions/api/webhooks/get-webhook-delivery/contract.ts';
import { handler as getDelivery } from '#functions/api/webhooks/get-webhook-delivery/handler.ts';
import { contract as testContract } from '#functions/api/webhooks/test-webhook/contract.ts';
import { handler as test } from '#functions/api/webhooks/test-webhook/handler.ts';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { disable } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { call } from '#test/helpers/http.ts';
import {
  claimAndDie,
  inFlight,
  organization,
  receiver,
  script,
  useScriptedReceiver,
  world,
} from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, newOrganization, sweepDeliveries } from './world.ts';

useScriptedReceiver();

const NIL = '00000000-0000-0000-0000-000000000000';

const ask = (id: string, body?: unknown, headers: Record<string, string> = {}) =>
  call(testContract, test, { headers: { ...organization.headers, ...headers }, params: { id }, body });

const read = async (id: string, deliveryId: string) =>
  (await call(getDeliveryContract, getDelivery, { headers: organization.headers, params: { id, deliveryId } })).body
    .data;

const endpointAsShown = async (id: string) =>
  (await call(getContract, get, { headers: organization.headers, params: { id } })).body.data;

const stored = async (id: string) => (await webhooks.find(organization.id, id))!;

describe('a test delivery', () => {
  it('arrives once, signed and marked, and its delivery says what the receiver answered', async () => {
    // The library compares the signed time with this machine's clock.
    world.clock.ms = Date.now();
    const { id, secret } = await createEndpoint(organization, receiver.url, ['sync.partial', 'sync.failed']);
    const { status, body, headers } = await ask(id);
    expect([status, body.data]).toMatchObject([202, { test: true, status: 'pending', event_type: 'sync.partial' }]);
    expect(headers).toMatchObject({ ratelimit: expect.stringMatching(/^"webhook-tests";r=9;t=\d+$/) });
    await drain(world);
    const [request] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(request!.headers).toMatchObject({ 'webhook-test': 'true', 'webhook-id': body.data.id });
    expect(new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>)).toEqual({
      type: 'sync.partial',
      timestamp: body.data.created_at,
      data: {
        syncRunId: NIL,
        organizationId: NIL,
        connectionId: NIL,
        status: 'partial',
        scopes: [],
        scopeOutcomes: [],
      },
    });
    expect(await read(id, body.data.id)).toMatchObject({ status: 'delivered', attempts: 1, response_status: 204 });
  });

  it('has the type that is asked for, and refuses other types', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    expect((await ask(id, { event_type: 'sync.failed' })).body.data.event_type).toBe('sync.failed');
    expect((await ask(id, { event_type: 'sync.started' })).status).toBe(422);
  });

  it.each([
    ['a success', 204],
    ['a failure', 500],
  ])('that is %s changes nothing at its endpoint, and is not tried again', async (_, status) => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    await endRun(organization);
    await drain(world);
    const before = await stored(id);
    expect(before.failuresInRow).toBe(1);
    script.status = status;
    receiver.received.length = 0;
    for (let n = 0; n < WEBHOOK_LIMITS.webhookTestsPerMinute; n++) await ask(id);
    await drain(world);
    expect(receiver.received).toHaveLength(WEBHOOK_LIMITS.webhookTestsPerMinute);
    expect(await stored(id)).toEqual(before);
    expect(await inFlight(id)).toBe(0);
  });

  it('never disables its endpoint', async () => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    for (let n = 0; n <= WEBHOOK_LIMITS.webhookFailuresInRowMax; n++) {
      world.clock.ms += 6_001;
      expect((await ask(id)).status).toBe(202);
      await drain(world);
    }
    expect(receiver.received).toHaveLength(WEBHOOK_LIMITS.webhookFailuresInRowMax + 1);
    expect(await stored(id)).toMatchObject({ enabled: true, failuresInRow: 0 });
  });

  it('reaches a disabled endpoint, which stays disabled and says why', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    await webhooks.change(await stored(id), disable(await stored(id), nowIso(), 'manual'), BY_SERVICE);
    const { body } = await ask(id);
    await drain(world);
    expect(receiver.received).toHaveLength(1);
    expect(await read(id, body.data.id)).toMatchObject({ status: 'delivered' });
    expect(await endpointAsShown(id)).toMatchObject({
      enabled: false,
      disabled_reason: 'manual',
      last_success_at: null,
    });
  });

  it('whose worker died is lost after a minute, and is not tried again', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const { body } = await ask(id);
    await claimAndDie(id, body.data.id);
    world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
    await sweepDeliveries(organization);
    await drain(world);
    expect(receiver.received).toEqual([]);
    expect(await read(id, body.data.id)).toMatchObject({
      status: 'failed',
      attempt_log: [{ number: 1, status: 'failed', cause: 'interrupted', ended_at: null }],
    });
    expect(await stored(id)).toMatchObject({ failuresInRow: 0 });
  });

  it('is one for each Idempotency-Key', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const answers = [await ask(id, {}, { 'idempotency-key': 'k' }), await ask(id, {}, { 'idempotency-key': 'k' })];
    await drain(world);
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });

  it('is refused as the eleventh of a minute, for this organization only', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const other = await newOrganization();
    const foreign = await createEndpoint(other, receiver.url);
    world.clock.ms = (Math.floor(world.clock.ms / 60_000) + 1) * 60_000 + 20_000;
    for (let n = 0; n < WEBHOOK_LIMITS.webhookTestsPerMinute; n++) expect((await ask(id)).status).toBe(202);
    const refused = await ask(id);
    expect([refused.status, refused.body.error.code]).toEqual([429, 'rate_limited']);
    expect(refused.headers).toMatchObject({
      'retry-after': '40',
      ratelimit: '"webhook-tests";r=0;t=40',
      'ratelimit-policy': '"webhook-tests";q=10;w=60',
    });
    const theirs = await call(testContract, test, { headers: other.headers, params: { id: foreign.id } });
    expect(theirs.status).toBe(202);
    world.clock.ms += 40_000;
    expect((await ask(id)).status).toBe(202);
  });

  it('is not sent to an endpoint of another organization', async () => {
    const foreign = await createEndpoint(await newOrganization(), receiver.url);
    for (const id of [foreign.id, newId()]) {
      const { status, body } = await ask(id);
      expect([status, body.error.code]).toEqual([404, 'webhook_endpoint_not_found']);
    }
    expect(world.queue).toEqual([]);
  });
});
