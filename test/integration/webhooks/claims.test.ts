/** What an attempt must know of its endpoint at its beginning and end, although it reads the endpoint at neither. */

import { describe, expect, it } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { ClaimConflict } from '#shared/webhooks/concurrency.store.ts';
import { deliver, readContexts } from '#shared/webhooks/deliver.ts';
import { claim, remind, settle } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { disable, reactivate, type WebhookEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { recordOutcome } from '#shared/webhooks/record-outcome.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { startReceiver } from './receiver.ts';
import {
  claimAndDie,
  find,
  inFlight,
  newAttempt,
  organization,
  receiver,
  script,
  useScriptedReceiver,
  world,
} from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, receive, sweepDeliveries, takeNext } from './world.ts';

useScriptedReceiver(startTable);

/** Another delivery of the endpoint ends as failed, after all its attempts. */
const failForGood = async (endpointId: string): Promise<void> => {
  const [deliveryId] = await endRun(organization);
  world.queue.splice(
    world.queue.findIndex(({ body }) => body.deliveryId === deliveryId),
    1,
  );
  for (let n = 1; n <= WEBHOOK_LIMITS.webhookAttemptsMax; n++) {
    const delivery = { ...(await find(endpointId, deliveryId!))! };
    const endpoint = (await webhooks.find(organization.id, endpointId))!;
    const atMs = Date.parse(delivery.dueAt!);
    const claimed = claim(delivery, newAttempt(atMs), deliveries.SCHEDULE);
    await deliveries.claimAttempt(delivery, claimed, endpoint);
    const result = { ok: false, status: 500, failure: 'http', error: 'answered 500' } as const;
    await recordOutcome(claimed, settle(claimed, result, atMs, deliveries.SCHEDULE), endpoint);
  }
  world.queue.length = 0;
};

describe('a claim', () => {
  const changes: [string, (endpoint: WebhookEndpoint) => Promise<unknown>][] = [
    ['its secret was rolled', ({ id }) => webhooks.replaceSecret(organization.id, id, new Uint8Array([1]), BY_SERVICE)],
    ['its url was changed', (endpoint) => webhooks.change(endpoint, { url: `${receiver.url}/other` }, BY_SERVICE)],
    ['it was disabled', (endpoint) => webhooks.change(endpoint, disable(endpoint, nowIso(), 'manual'), BY_SERVICE)],
    ['it was deleted', ({ id }) => webhooks.remove(organization.id, id, BY_SERVICE)],
  ];
  const prepared = async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    const delivery = (await find(id, deliveryId!))!;
    const endpoint = (await webhooks.find(organization.id, id))!;
    const claimed = claim(delivery, newAttempt(world.clock.ms), deliveries.SCHEDULE);
    return { id, delivery, endpoint, claimAs: (as: WebhookEndpoint) => deliveries.claimAttempt(delivery, claimed, as) };
  };

  it.each(changes)('is void when the endpoint was read and then %s', async (_, change) => {
    const { id, delivery, endpoint, claimAs } = await prepared();
    await change(endpoint);
    await expect(claimAs(endpoint)).rejects.toThrow(ClaimConflict);
    expect(await find(id, delivery.id)).toEqual(delivery);
    expect(await inFlight(id)).toBe(0);
    const asItIs = await webhooks.find(organization.id, id);
    if (!asItIs) return;
    await claimAs(asItIs);
    expect(await find(id, delivery.id)).toMatchObject({ status: 'delivering' });
  });

  it('is void when the endpoint was disabled by its failures since it was read', async () => {
    const { id, delivery, endpoint, claimAs } = await prepared();
    await webhooks.change(endpoint, { failuresInRow: WEBHOOK_LIMITS.webhookFailuresInRowMax - 1 }, BY_SERVICE);
    await failForGood(id);
    expect(await webhooks.find(organization.id, id)).toMatchObject({ enabled: false });
    await expect(claimAs(endpoint)).rejects.toThrow();
    expect(await find(id, delivery.id)).toMatchObject({ status: 'failed', attempts: 0 });
    expect(await inFlight(id)).toBe(0);
  });

  it('is made for a change that came between the look and the claim: the worker reads again', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    await endRun(organization);
    const { body } = takeNext(world)!;
    const ahead = await readContexts([body]);
    const other = await startReceiver((_, response) => response.writeHead(204).end());
    await webhooks.change((await webhooks.find(organization.id, id))!, { url: other.url }, BY_SERVICE);
    await deliver(body, { ahead });
    await other.stop();
    expect([receiver.received.length, other.received.length]).toEqual([0, 1]);
  });

  it('leaves the due entry that is there, and the attempt of a worker that died is closed all the same', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    world.clock.ms += MESSAGING_LIMITS.messageGraceMs / 2;
    await claimAndDie(id, deliveryId!);
    const closedMs = world.clock.ms + WEBHOOK_LIMITS.webhookClaimMs;
    // A sweep that finds the attempt too early does not change it.
    world.clock.ms = closedMs - 1;
    expect(await sweepDeliveries(organization)).toBe(1);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'delivering', attempts: 1 });
    world.clock.ms = closedMs;
    await sweepDeliveries(organization);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'pending', failure: 'interrupted' });
  });

  it('brings the due entry forward where it would come too late', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    const [deliveryId] = await endRun(organization);
    const before = (await find(id, deliveryId!))!;
    const later = remind(before, world.clock.ms + 2 * WEBHOOK_LIMITS.webhookClaimMs);
    await deliveries.advance(before, later);
    await claimAndDie(id, deliveryId!);
    world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
    expect(await sweepDeliveries(organization)).toBe(1);
    expect(await find(id, deliveryId!)).toMatchObject({ status: 'pending', failure: 'interrupted' });
  });
});

describe('a success', () => {
  it('ends the row of failures, one that was counted during its attempt too', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    // Stamped, so that the next success writes nothing based on what it read.
    await endRun(organization);
    await drain(world);
    await endRun(organization);
    const { body } = takeNext(world)!;
    script.meanwhile = async () => {
      script.meanwhile = () => {};
      await failForGood(id);
      expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 1 });
    };
    await receive(body);
    expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 0 });
    expect(await inFlight(id)).toBe(0);
  });

  it('after reactivation costs no more than any other: failures are reset once', async () => {
    const { id } = await createEndpoint(organization, receiver.url);
    await endRun(organization);
    await drain(world);
    await failForGood(id);
    const disabled = (await webhooks.find(organization.id, id))!;
    await webhooks.change(disabled, disable(disabled, nowIso(), 'manual'), BY_SERVICE);
    const off = (await webhooks.find(organization.id, id))!;
    await webhooks.change(off, reactivate(off), BY_SERVICE);
    world.clock.ms++;
    const requests: number[] = [];
    for (let n = 0; n < 2; n++) {
      await endRun(organization);
      const { body } = takeNext(world)!;
      requests.push((await tableCallsOf(() => receive(body))).calls);
    }
    // The worker knows the endpoint by then: it reads nothing for the second delivery.
    expect(requests).toEqual([7, 4]);
    expect(await webhooks.find(organization.id, id)).toMatchObject({ failuresInRow: 0, enabled: true });
  });
});
