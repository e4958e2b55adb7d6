import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { contract as resendContract } from '#functions/api/webhooks/resend-webhook-delivery/contract.ts';
import { handler as resendHandler } from '#functions/api/webhooks/resend-webhook-delivery/handler.ts';
import { contract as rollContract } from '#functions/api/webhooks/roll-webhook-secret/contract.ts';
import { handler as rollHandler } from '#functions/api/webhooks/roll-webhook-secret/handler.ts';
import { list as listEvents } from '#shared/audit/audit.store.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { verifySignature } from '#shared/webhooks/signing.ts';
import { call } from '#test/helpers/http.ts';
import { type Received, type Receiver, startReceiver } from './receiver.ts';
import {
  createEndpoint,
  drain,
  endRun,
  newOrganization,
  type Organization,
  openWorld,
  receive,
  sweepDeliveries,
  takeNext,
  type World,
} from './world.ts';

let world: World;
let organization: Organization;
let receiver: Receiver;
/** Statuses of the next answers; the last one repeats. */
let answers: number[];
/** Time of each request. */
let times: number[];

beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

beforeEach(async () => {
  organization = await newOrganization();
  answers = [204];
  times = [];
  receiver = await startReceiver((_, response) => {
    times.push(world.clock.ms);
    response.writeHead(answers.length > 1 ? answers.shift()! : answers[0]!).end();
  });
});
afterEach(async () => {
  world.queue.length = 0;
  await receiver.stop();
});

const find = (endpointId: string, deliveryId: string) => deliveries.find(organization.id, endpointId, deliveryId);
const isSigned = (secret: string, { headers, body }: Received, atMs: number) =>
  verifySignature(secret, { headers, body }, Math.floor(atMs / 1_000));
const resend = (endpointId: string, deliveryId: string) =>
  call(resendContract, resendHandler, { headers: organization.headers, params: { id: endpointId, deliveryId } });

describe('a delivery', () => {
  it('arrives at once, signed, and verifies with the standardwebhooks package', async () => {
    world.clock.ms = Date.now();
    const { id, secret } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    expect(world.queue).toMatchObject([{ groupId: id, visibleMs: world.clock.ms }]);
    await drain(world);
    const [request] = receiver.received;
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': deliveryId });
    const verified = new Webhook(secret).verify(request!.body, request!.headers as Record<string, string>);
    expect(verified).toMatchObject({
      type: 'sync.succeeded',
      data: { organizationId: organization.id, note: 'ñ á € 😀' },
    });
    expect(Object.keys(verified as object)).toEqual(['type', 'timestamp', 'data']);
    expect(await find(id, deliveryId!)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      responseStatus: 204,
      error: null,
    });
    expect((await webhooks.find(organization.id, id))?.lastSuccessAt).not.toBeNull();
    expect(world.queue).toEqual([]);
  });

  it('is tried four times, after 60, 1,800 and 7,200 seconds, with the same id and bytes and a fresh signature', async () => {
    answers = [500, 410, 429, 503];
    const { id, secret } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await drain(world);
    expect(times.map((at) => (at - times[0]!) / 1_000)).toEqual([0, 60, 1_860, 9_060]);
    const { received } = receiver;
    expect(new Set(received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([deliveryId]));
    expect(new Set(received.map(({ body }) => body.toString('hex'))).size).toBe(1);
    expect(new Set(received.map(({ headers }) => headers['webhook-signature'])).size).toBe(4);
    expect(received.map((request, n) => isSigned(secret, request, times[n]!))).toEqual([true, true, true, true]);
    expect(await find(id, deliveryId!)).toMatchObject({
      status: 'failed',
      attempts: 4,
      responseStatus: 503,
      error: 'answered 503',
      dueAt: null,
      nextCheckAt: null,
    });
    world.clock.ms += 10 ** 9;
    expect(await sweepDeliveries(organization)).toBe(0);
  });

  it('stops at the first success', async () => {
    answers = [500, 200];
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await drain(world);
    expect(receiver.received).toHaveLength(2);
    expect(await find(id, deliveryId!)).toMatchObject({
      status: 'delivered',
      attempts: 2,
      responseStatus: 200,
      error: null,
    });
  });

  it('is pending between attempts and says why', async () => {
    answers = [301];
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'pending', attempts: 0 });
    await receive(takeNext(world)!.body);
    const error = 'answered 301 (redirects are not followed)';
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'pending', attempts: 1, responseStatus: 301, error });
  });

  it('is signed with the secret that is valid at each attempt', async () => {
    answers = [500, 200];
    const { id, secret } = await createEndpoint(organization, receiver.url);
    await endRun(organization);
    await receive(takeNext(world)!.body);
    const rolled = await call(rollContract, rollHandler, { headers: organization.headers, params: { id } });
    await drain(world);
    const [first, second] = receiver.received;
    expect([first, second].map((request, n) => isSigned(secret, request!, times[n]!))).toEqual([true, false]);
    expect([first, second].map((request, n) => isSigned(rolled.body.data.secret, request!, times[n]!))).toEqual([
      false,
      true,
    ]);
    expect(second!.body.equals(first!.body)).toBe(true);
  });

  it('goes to each enabled endpoint that subscribed to the type', async () => {
    const all = await createEndpoint(organization, receiver.url, ['sync.succeeded', 'sync.partial', 'sync.failed']);
    await createEndpoint(organization, receiver.url, ['sync.failed']);
    const foreign = await newOrganization();
    await createEndpoint(foreign, receiver.url, ['sync.partial']);
    const ids = await endRun(organization, 'sync.partial');
    expect(ids).toHaveLength(1);
    expect(await find(all.id, ids[0]!)).toMatchObject({ eventType: 'sync.partial' });
    expect(await endRun(organization, 'sync.failed')).toHaveLength(2);
  });
});

describe('an endpoint that fails', () => {
  const failOne = async (): Promise<string> => {
    const [deliveryId] = await endRun(organization);
    await drain(world);
    return deliveryId!;
  };

  it('is disabled by the 20th delivery in a row that ends failed; what waits for it ends too', async () => {
    answers = [500];
    const { id } = await createEndpoint(organization, receiver.url);
    for (let n = 0; n < 19; n++) await failOne();
    expect(await webhooks.find(organization.id, id)).toMatchObject({ enabled: true, failuresInRow: 19 });
    const [last] = await endRun(organization);
    // Another delivery, whose first retry is due.
    const [waiting] = await endRun(organization);
    while ((await find(id, last!))!.status !== 'failed') {
      const next = world.queue.find(({ body }) => body.deliveryId === last)!;
      world.queue.splice(world.queue.indexOf(next), 1);
      world.clock.ms = Math.max(world.clock.ms, next.visibleMs);
      await receive(next.body);
    }
    const disabledAt = new Date(world.clock.ms).toISOString();
    expect(await webhooks.find(organization.id, id)).toMatchObject({ enabled: false, failuresInRow: 20, disabledAt });
    const { events } = await listEvents(organization.id, { limit: 10, before: null });
    expect(events[0]).toMatchObject({ action: 'webhook.disabled', targetId: id, author: { kind: 'service' } });
    expect(events.filter(({ targetId }) => targetId === id)).toHaveLength(2);
    const error = 'the webhook endpoint was disabled';
    expect(await find(id, waiting!)).toMatchObject({ status: 'failed', attempts: 0, error });
    const before = receiver.received.length;
    await drain(world);
    expect(receiver.received).toHaveLength(before);
    expect(await endRun(organization)).toEqual([]);
  });

  it('counts from zero after any success', async () => {
    answers = [500];
    const { id } = await createEndpoint(organization, receiver.url);
    for (let n = 0; n < 3; n++) await failOne();
    answers = [200];
    await failOne();
    expect(await webhooks.find(organization.id, id)).toMatchObject({ enabled: true, failuresInRow: 0 });
  });
});

describe('a resend', () => {
  it('is one more attempt at once with the same id and bytes', async () => {
    answers = [500, 500, 500, 500, 200];
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await drain(world);
    const sentMs = world.clock.ms;
    const { status, body } = await resend(id, deliveryId!);
    expect([status, body.data.status, body.data.attempts]).toEqual([202, 'pending', 4]);
    await drain(world);
    expect(times[4]).toBe(sentMs);
    const [first, , , , fifth] = receiver.received;
    expect(fifth!.body.equals(first!.body)).toBe(true);
    expect(fifth!.headers['webhook-id']).toBe(deliveryId);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'delivered', attempts: 5 });
    expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 0 });
  });

  it('that fails has no retries and does not count', async () => {
    answers = [500];
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await drain(world);
    await resend(id, deliveryId!);
    await drain(world);
    expect(receiver.received).toHaveLength(5);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'failed', attempts: 5 });
    expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 1 });
  });

  it('is made once, however often it is asked for at the same time', async () => {
    answers = [500];
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await drain(world);
    const asked = await Promise.all([1, 2, 3].map(() => resend(id, deliveryId!)));
    expect(asked.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
    await drain(world);
    expect(receiver.received).toHaveLength(5);
  });
});
