import { describe, expect, it } from 'vitest';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { IS_WHOLE } from '#test/helpers/effort.ts';
import {
  claimAndDie,
  find,
  inFlight,
  organization,
  receiver,
  script,
  useScriptedReceiver,
  world,
} from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, receive, sweepDeliveries, takeNext } from './world.ts';

useScriptedReceiver();

describe('messages', () => {
  it('doubled at every turn make every attempt once', async () => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await drain(world, () => 2);
    expect(receiver.received).toHaveLength(4);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'failed', attempts: 4 });
  });

  it('handled by two workers at the same time make one attempt', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    const { body } = takeNext(world)!;
    await Promise.all([receive(body), receive(body), receive(body, body)]);
    expect(receiver.received).toHaveLength(1);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await inFlight(id)).toBe(0);
  });

  it('that come early are sent again with the rest of the delay, at most 900 seconds, and do nothing', async () => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await receive(takeNext(world)!.body);
    await receive(takeNext(world)!.body);
    // The second delay is 1,800 s: the first step covers 900 s of it.
    const [first] = world.queue;
    expect(first!.visibleMs - world.clock.ms).toBe(900_000);
    const { body } = takeNext(world)!;
    await receive(body);
    await receive(body);
    expect(world.queue).toHaveLength(1);
    expect(world.queue[0]!.visibleMs - world.clock.ms).toBe(900_000);
    expect(world.queue[0]!.body.generation).toBe(body.generation + 1);
    expect(receiver.received).toHaveLength(2);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'pending', attempts: 2 });
  });

  it('that come early twice at the same time continue as one', async () => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    await receive(takeNext(world)!.body);
    const { body } = world.queue.pop()!;
    await Promise.all([receive(body), receive(body), receive(body)]);
    expect(world.queue).toHaveLength(1);
    expect(await find(id, deliveryId!)).toMatchObject({
      status: 'pending',
      attempts: 1,
      generation: body.generation + 1,
    });
  });

  it('all lost: the sweeper makes every attempt happen, a minute late', async () => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    for (let n = 1; n <= 4; n++) {
      world.queue.length = 0;
      const { nextCheckAt } = (await find(id, deliveryId!))!;
      world.clock.ms = Date.parse(nextCheckAt!) - 1;
      expect(await sweepDeliveries(organization)).toBe(0);
      world.clock.ms++;
      expect(await sweepDeliveries(organization)).toBe(1);
      await receive(takeNext(world)!.body);
      expect(receiver.received).toHaveLength(n);
    }
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'failed', attempts: 4 });
  });

  it('stuck in a long queue still count when their turn comes', async () => {
    await createEndpoint(organization, receiver.url);
    await endRun(organization);
    // An hour of backlog: the sweeper runs every minute, but messages are taken only after the hour.
    let sent = 0;
    for (let minute = 0; minute < 60; minute++) {
      world.clock.ms += 60_000;
      sent += await sweepDeliveries(organization);
    }
    expect(sent).toBeLessThan(10);
    await drain(world);
    expect(receiver.received).toHaveLength(1);
  });
});

/** After the first hour, reminders are a quarter of an hour apart. */
const MINUTES = (IS_WHOLE ? 12 : 3) * 60;

it('messages lost one after the other are sent again every quarter of an hour, and not later and later', async () => {
  await createEndpoint(organization, receiver.url);
  await endRun(organization);
  const sentAtMinute: number[] = [];
  for (let minute = 1; minute <= MINUTES; minute++) {
    world.clock.ms += 60_000;
    if ((await sweepDeliveries(organization)) > 0) sentAtMinute.push(minute);
    world.queue.length = 0;
  }
  const gaps = sentAtMinute.slice(1).map((minute, n) => minute - sentAtMinute[n]!);
  expect(Math.max(...gaps) * 60_000).toBe(WEBHOOK_LIMITS.webhookReminderMaxMs);
  expect(MINUTES - sentAtMinute.at(-1)!).toBeLessThan(WEBHOOK_LIMITS.webhookReminderMaxMs / 60_000);
});

it('a reminder leaves the message before it valid: the first that comes is worked on, the others are stale', async () => {
  await createEndpoint(organization, receiver.url);
  await endRun(organization);
  const first = takeNext(world)!.body;
  world.clock.ms += MESSAGING_LIMITS.messageGraceMs;
  expect(await sweepDeliveries(organization)).toBe(1);
  const second = takeNext(world)!.body;
  await receive(first);
  expect(receiver.received).toHaveLength(1);
  await receive(second);
  expect(receiver.received).toHaveLength(1);
});

describe('a worker that dies', () => {
  it('after its claim leaves an attempt that counts, is closed after 60 s, and is followed by the next', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    const claimedMs = world.clock.ms;
    await claimAndDie(id, deliveryId!);
    await drain(world);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'delivering', attempts: 1 });
    world.clock.ms = claimedMs + WEBHOOK_LIMITS.webhookClaimMs - 1;
    expect(await sweepDeliveries(organization)).toBe(0);
    world.clock.ms++;
    expect(await sweepDeliveries(organization)).toBe(1);
    const dueAt = new Date(claimedMs + 120_000).toISOString();
    expect(await find(id, deliveryId!)).toMatchObject({
      status: 'pending',
      attempts: 1,
      failure: 'interrupted',
      dueAt,
    });
    expect(await inFlight(id)).toBe(0);
    await drain(world);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(receiver.received).toHaveLength(1);
  });

  it('four times over ends the delivery failed, counted once', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    for (let n = 1; n <= 4; n++) {
      const { dueAt } = (await find(id, deliveryId!))!;
      world.clock.ms = Math.max(world.clock.ms, Date.parse(dueAt!));
      await claimAndDie(id, deliveryId!);
      world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
      // Two sweepers run at the same time.
      await Promise.all([sweepDeliveries(organization), sweepDeliveries(organization)]);
    }
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'failed', attempts: 4 });
    expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 1 });
  });

  it('only seemingly, and answers after the sweeper closed its attempt: the later word is void', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    script.meanwhile = async () => {
      script.meanwhile = () => {};
      world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
      await sweepDeliveries(organization);
    };
    await receive(takeNext(world)!.body);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'pending', attempts: 1, failure: 'interrupted' });
    await drain(world);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'delivered', attempts: 2 });
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([deliveryId, deliveryId]);
  });
});

describe('many deliveries to one endpoint', () => {
  it('are made at most five at a time, and all of them in the end', async () => {
    const DELIVERIES = 12;
    const { id } = await createEndpoint(organization, receiver.url);
    for (let n = 0; n < DELIVERIES; n++) await endRun(organization);
    let now = 0;
    let most = 0;
    let ended = 0;
    const all = Promise.withResolvers<void>();
    // Deliveries that have a slot hold it until the others were turned away.
    const check = (): void => {
      if (now === WEBHOOK_LIMITS.webhookInFlightPerEndpointMax && ended === DELIVERIES - now) all.resolve();
    };
    script.meanwhile = async () => {
      most = Math.max(most, ++now);
      check();
      await all.promise;
      now--;
    };
    const messages = Array.from({ length: DELIVERIES }, () => takeNext(world)!.body);
    const work = messages.map(async (body) => {
      await receive(body);
      ended++;
      check();
    });
    await Promise.all(work);
    expect(receiver.received).toHaveLength(WEBHOOK_LIMITS.webhookInFlightPerEndpointMax);
    expect(world.queue).toHaveLength(DELIVERIES - WEBHOOK_LIMITS.webhookInFlightPerEndpointMax);
    await drain(world);
    expect(most).toBe(WEBHOOK_LIMITS.webhookInFlightPerEndpointMax);
    expect(receiver.received).toHaveLength(DELIVERIES);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(DELIVERIES);
    const listed = await deliveries.listNewest(organization.id, id);
    expect(new Set(listed.map(({ status: state, attempts }) => `${state} ${attempts}`))).toEqual(
      new Set(['delivered 1']),
    );
    expect(await inFlight(id)).toBe(0);
  });

  it('that fail at the same time are each counted once', async () => {
    script.status = 500;
    const { id } = await createEndpoint(organization, receiver.url);
    for (let n = 0; n < 8; n++) await endRun(organization);
    while (world.queue.length > 0) {
      const batch = Array.from({ length: Math.min(5, world.queue.length) }, () => takeNext(world)!.body);
      await receive(...batch);
    }
    expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 8, enabled: true });
    expect(receiver.received).toHaveLength(32);
  });
});
