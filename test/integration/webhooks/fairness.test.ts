/** One receiver that accepts and does not answer, next to one that answers: the tests compare counts, not times. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { claim, settle } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { recordOutcome } from '#shared/webhooks/record-outcome.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { newAttempt, organization, receiver, script, useScriptedReceiver, world } from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, type Message, receive, takeNext } from './world.ts';

const PLACES = WEBHOOK_LIMITS.webhookInFlightPerEndpointMax;
const RUNS = 4 * PLACES;

/** Runs next to the scripted receiver, which answers. */
let hanging: Receiver;
let hangingId: string;
/** Lets the hanging receiver answer the requests that it holds and all later ones. */
let release: () => void;
/** Requests that the hanging receiver holds. */
let held: number;
let heldAtMost: number;

useScriptedReceiver();
beforeEach(async () => {
  const released = Promise.withResolvers<void>();
  release = released.resolve;
  held = 0;
  heldAtMost = 0;
  hanging = await startReceiver(async (_, response) => {
    heldAtMost = Math.max(heldAtMost, ++held);
    await released.promise;
    held--;
    response.writeHead(204).end();
  });
  hangingId = (await createEndpoint(organization, hanging.url)).id;
  await createEndpoint(organization, receiver.url);
});
afterEach(async () => {
  release();
  await hanging.stop();
});

const takeAll = (): Message[] => Array.from({ length: world.queue.length }, () => takeNext(world)!);

/** Messages to the hanging receiver, and messages to the scripted one. */
const split = (messages: readonly Message[]): [Message[], Message[]] => [
  messages.filter(({ groupId }) => groupId === hangingId),
  messages.filter(({ groupId }) => groupId !== hangingId),
];

/** Delivers every message by itself, as different workers would. `rest` resolves when all but `heldBack` have ended. */
const workOn = (messages: readonly Message[], heldBack: number): { rest: Promise<void>; all: Promise<unknown> } => {
  const rest = Promise.withResolvers<void>();
  let open = messages.length;
  const work = messages.map(async ({ body }) => {
    await receive(body);
    if (--open === heldBack) rest.resolve();
  });
  return { rest: rest.promise, all: Promise.all(work) };
};

it('a hanging receiver holds only its slots, while all other deliveries go out', async () => {
  for (let n = 0; n < RUNS; n++) await endRun(organization);
  expect(world.queue).toHaveLength(2 * RUNS);
  const [toHanging, toHealthy] = split(takeAll());
  const first = workOn(toHanging, PLACES);
  await first.rest;
  for (const { body } of toHealthy) await receive(body);
  expect(receiver.received).toHaveLength(RUNS);
  expect([held, hanging.received.length]).toEqual([PLACES, PLACES]);

  // A delivery that waits for a slot asks again and again: no attempt is recorded or made, and each delivery has one
  // message.
  for (let asked = 1; asked <= 3; asked++) {
    expect(world.queue.map(({ groupId }) => groupId)).toEqual(Array.from({ length: RUNS - PLACES }, () => hangingId));
    await workOn(takeAll(), 0).rest;
  }
  expect(hanging.received).toHaveLength(PLACES);
  const listed = await deliveries.listNewest(organization.id, hangingId);
  expect(listed.filter(({ status, attempts }) => status === 'delivering' && attempts === 1)).toHaveLength(PLACES);
  expect(listed.filter(({ status, attempts }) => status === 'pending' && attempts === 0)).toHaveLength(RUNS - PLACES);

  release();
  await first.all;
  await drain(world);
  expect(heldAtMost).toBe(PLACES);
  const ended = await deliveries.listNewest(organization.id, hangingId);
  expect(ended.map(({ status, attempts }) => [status, attempts])).toEqual(
    Array.from({ length: RUNS }, () => ['delivered', 1]),
  );
});

/** Ends an attempt at the hanging receiver with `failure`; the message of its retry is put aside. */
const attemptEnded = async (failure: 'timeout' | 'http'): Promise<void> => {
  await endRun(organization);
  const [[message]] = split(takeAll());
  const delivery = (await deliveries.find(organization.id, hangingId, message!.body.deliveryId))!;
  const endpoint = (await webhooks.find(organization.id, hangingId))!;
  const claimed = claim(delivery, newAttempt(world.clock.ms), deliveries.SCHEDULE);
  await deliveries.claimAttempt(delivery, claimed, endpoint);
  const result = { ok: false, status: null, failure, error: 'ended so' } as const;
  await recordOutcome(claimed, settle(claimed, result, world.clock.ms, deliveries.SCHEDULE));
  world.queue.length = 0;
};

it('a receiver that let an attempt time out has one slot, until an attempt ends in time', async () => {
  await attemptEnded('timeout');
  for (let n = 0; n < RUNS; n++) await endRun(organization);
  const [toHanging] = split(takeAll());
  const first = workOn(toHanging, WEBHOOK_LIMITS.webhookInFlightPerSlowEndpointMax);
  await first.rest;
  await vi.waitFor(() => expect(hanging.received).toHaveLength(WEBHOOK_LIMITS.webhookInFlightPerSlowEndpointMax));
  release();
  await first.all;
  await drain(world);
  expect(hanging.received).toHaveLength(RUNS);
});

it('a failure in time gives a slow receiver its slots back', async () => {
  await attemptEnded('timeout');
  await attemptEnded('http');
  for (let n = 0; n < RUNS; n++) await endRun(organization);
  const first = workOn(split(takeAll())[0], PLACES);
  await first.rest;
  await vi.waitFor(() => expect(hanging.received).toHaveLength(PLACES));
  release();
  await first.all;
});

it('a hanging receiver does not hold up what came with it in one batch', async () => {
  for (let n = 0; n < RUNS; n++) await endRun(organization);
  const [[slow], toHealthy] = split(takeAll());
  const others = toHealthy.slice(0, PLACES);
  const arrived = Promise.withResolvers<void>();
  script.meanwhile = () => {
    if (receiver.received.length === others.length) arrived.resolve();
  };
  // The message to the hanging receiver is first in the batch: if attempts were sequential, the others would never
  // arrive.
  const batch = receive(...[slow!, ...others].map(({ body }) => body));
  await arrived.promise;
  expect(hanging.received.length).toBeLessThanOrEqual(1);
  release();
  await batch;
  expect(hanging.received).toHaveLength(1);
});
