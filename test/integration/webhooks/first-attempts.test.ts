/** Which retries give up their slot to waiting first attempts: those due later, and never what a person resends. */
import { expect, it } from 'vitest';
import { claim, type Delivery, postpone, resend, settle, stop } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { recordOutcome } from '#shared/webhooks/record-outcome.ts';
import { newAttempt, organization, receiver, useScriptedReceiver, world } from './scripted-receiver.ts';
import { createEndpoint, endRun, receive, takeNext } from './world.ts';

const RETRY_MS = WEBHOOK_LIMITS.webhookRetryDelaysMs[0];

useScriptedReceiver();

const announce = async (endpointId: string): Promise<Delivery> => {
  const [id] = await endRun(organization);
  takeNext(world);
  return (await deliveries.find(organization.id, endpointId, id!))!;
};

/** Its first attempt timed out, so the endpoint has only one slot. */
const timedOut = async (delivery: Delivery): Promise<Delivery> => {
  const endpoint = (await webhooks.find(organization.id, delivery.endpointId))!;
  const claimed = claim(delivery, newAttempt(world.clock.ms), deliveries.SCHEDULE);
  await deliveries.claimAttempt(delivery, claimed, endpoint);
  const result = { ok: false, status: null, failure: 'timeout', error: 'no answer' } as const;
  const settled = settle(claimed, result, world.clock.ms, deliveries.SCHEDULE);
  await recordOutcome(claimed, settled);
  takeNext(world);
  return settled;
};

/** A first attempt that was postponed. */
const waiting = async (delivery: Delivery): Promise<Delivery> => {
  const put = postpone(delivery, world.clock.ms + RETRY_MS);
  await deliveries.deferDelivery(delivery, put);
  return put;
};

const hand = (delivery: Delivery): Promise<void> => {
  const { organizationId, endpointId, id, generation, dueAt } = delivery;
  return receive({ organizationId, endpointId, deliveryId: id, generation, dueAt: dueAt! });
};

it('a retry waits behind a first attempt that was due before it, and goes when that was made', async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  const retry = await timedOut(await announce(id));
  const first = await waiting(await announce(id));
  world.clock.ms += RETRY_MS;
  await hand(retry);
  expect(receiver.received).toHaveLength(0);
  const { body } = takeNext(world)!;
  expect(body).toMatchObject({ deliveryId: retry.id, generation: retry.generation + 1 });
  await hand(first);
  await receive(body);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([first.id, retry.id]);
});

it('not behind one that was due later, was never postponed, or ended', async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  const retry = await timedOut(await announce(id));
  await announce(id);
  const stopped = await waiting(await announce(id));
  await deliveries.advance(stopped, stop(stopped, 'a test'));
  world.clock.ms += RETRY_MS + 1;
  await waiting(await announce(id));
  await hand(retry);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([retry.id]);
});

it('a delivery that a person resends waits for no retry', async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  let failed = await announce(id);
  for (let n = 0; n < WEBHOOK_LIMITS.webhookAttemptsMax; n++) {
    failed = await timedOut({ ...failed, dueAt: new Date(world.clock.ms).toISOString() });
    world.clock.ms += Math.max(...WEBHOOK_LIMITS.webhookRetryDelaysMs);
  }
  expect(failed.status).toBe('failed');
  await waiting(await announce(id));
  const asked = resend(failed, world.clock.ms, deliveries.SCHEDULE);
  await deliveries.advance(failed, asked);
  await hand(asked);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([failed.id]);
});
