/** Slots of an endpoint: unconditional writes that may be sent twice, come late, or never be followed by their end. */

import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as concurrency from '#shared/webhooks/concurrency.store.ts';
import { ClaimConflict } from '#shared/webhooks/concurrency.store.ts';
import { claim, type Delivery, interrupt, settle } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import type { WebhookEndpoint } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { runs } from '#test/helpers/effort.ts';
import {
  find,
  inFlight,
  newAttempt,
  organization,
  placesOf,
  receiver,
  script,
  useScriptedReceiver,
  world,
} from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, receive, sweepDeliveries, takeNext } from './world.ts';

const PLACES = WEBHOOK_LIMITS.webhookInFlightPerEndpointMax;

useScriptedReceiver();

let endpoint: WebhookEndpoint;
beforeEach(async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  endpoint = (await webhooks.find(organization.id, id))!;
});

/** A delivery that waits; its message is put aside. */
const announced = async (): Promise<Delivery> => {
  const [id] = await endRun(organization);
  takeNext(world);
  return (await find(endpoint.id, id!))!;
};

const claimedBy = (delivery: Delivery): Delivery => claim(delivery, newAttempt(world.clock.ms), deliveries.SCHEDULE);

const delivered = (claimed: Delivery): Delivery =>
  settle(claimed, { ok: true, status: 204 }, world.clock.ms, deliveries.SCHEDULE);

/** Takes slots that are never released, like a worker that died before its claim. */
const leaveBehind = async (count: number): Promise<void> => {
  const delivery = await announced();
  for (let n = 0; n < count; n++) await concurrency.acquireSlot(claimedBy(delivery), endpoint);
};

describe('a request that is sent again', () => {
  it('acquires the slot that it already has, also the last one', async () => {
    await leaveBehind(PLACES - 1);
    const claimed = claimedBy(await announced());
    await concurrency.acquireSlot(claimed, endpoint);
    await concurrency.acquireSlot(claimed, endpoint);
    expect(await inFlight(endpoint.id)).toBe(PLACES);
    await expect(concurrency.acquireSlot(claimedBy(await announced()), endpoint)).rejects.toThrow(ClaimConflict);
  });

  it('repeats its own claim, and no other attempt can claim', async () => {
    const delivery = await announced();
    const [mine, theirs] = [claimedBy(delivery), claimedBy(delivery)];
    await deliveries.claimAttempt(delivery, mine, endpoint);
    await deliveries.claimAttempt(delivery, mine, endpoint);
    await expect(deliveries.claimAttempt(delivery, theirs, endpoint)).rejects.toThrow(ClaimConflict);
    expect(await find(endpoint.id, delivery.id)).toEqual(mine);
    expect(await inFlight(endpoint.id)).toBe(1);
  });

  it('repeats its own end', async () => {
    const delivery = await announced();
    const claimed = claimedBy(delivery);
    await deliveries.claimAttempt(delivery, claimed, endpoint);
    const after = delivered(claimed);
    for (let times = 0; times < 2; times++) {
      await concurrency.releaseSlot(claimed, { ...after, status: 'pending' });
      await deliveries.endAttempt(claimed, after);
    }
    expect(await find(endpoint.id, delivery.id)).toEqual(after);
    expect(await inFlight(endpoint.id)).toBe(0);
  });

  it('comes late, after the attempt is over: nothing is claimed, and the slot lapses', async () => {
    const delivery = await announced();
    const claimed = claimedBy(delivery);
    await deliveries.claimAttempt(delivery, claimed, endpoint);
    await concurrency.releaseSlot(claimed, delivered(claimed));
    await deliveries.endAttempt(claimed, delivered(claimed));
    await concurrency.acquireSlot(claimed, endpoint);
    await expect(deliveries.claimAttempt(delivery, claimed, endpoint)).rejects.toThrow(ClaimConflict);
    expect(await find(endpoint.id, delivery.id)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('does not overwrite the end that the sweeper recorded', async () => {
    const delivery = await announced();
    const claimed = claimedBy(delivery);
    await deliveries.claimAttempt(delivery, claimed, endpoint);
    world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
    const closed = interrupt(claimed, world.clock.ms, deliveries.SCHEDULE);
    await deliveries.advance(claimed, closed);
    await expect(deliveries.endAttempt(claimed, delivered(claimed))).rejects.toThrow(deliveries.DeliveryConflict);
    expect(await find(endpoint.id, delivery.id)).toEqual(closed);
  });

  it('with an older stamp leaves the newer one, and does not create a deleted endpoint again', async () => {
    const [older, newer] = ['2026-11-02T12:00:00.000Z', '2026-11-02T12:00:00.001Z'];
    for (const at of [older, newer, older]) await webhooks.stampSuccess(endpoint, at);
    expect(await webhooks.find(organization.id, endpoint.id)).toMatchObject({ lastSuccessAt: newer });
    await webhooks.remove(organization.id, endpoint.id, BY_SERVICE);
    await webhooks.stampSuccess(endpoint, newer);
    expect(await webhooks.find(organization.id, endpoint.id)).toBeUndefined();
  });
});

describe('a worker that dies', () => {
  it('between slot and claim leaves a slot that lapses; the delivery waits until then, and goes out', async () => {
    await leaveBehind(PLACES);
    const [id] = await endRun(organization);
    const { body } = takeNext(world)!;
    await receive(body);
    expect([receiver.received.length, await inFlight(endpoint.id)]).toEqual([0, PLACES]);
    await drain(world);
    expect(await find(endpoint.id, id!)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await inFlight(endpoint.id)).toBe(0);
  });

  it('between slot and outcome leaves an attempt that the sweeper closes', async () => {
    const delivery = await announced();
    const claimed = claimedBy(delivery);
    await deliveries.claimAttempt(delivery, claimed, endpoint);
    await concurrency.releaseSlot(claimed, delivered(claimed));
    world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
    // Its message was lost, and so was that of the delivery.
    expect(await sweepDeliveries(organization)).toBe(1);
    const closed = (await find(endpoint.id, delivery.id))!;
    expect(closed).toMatchObject({ status: 'pending', attempts: 1, failure: 'interrupted', attemptId: null });
    await drain(world);
    expect(await find(endpoint.id, delivery.id)).toMatchObject({ status: 'delivered', attempts: 2 });
  });
});

it('a success whose slot lapsed meanwhile is recorded, and resets the counted failures', async () => {
  await endRun(organization);
  await drain(world);
  const [id] = await endRun(organization);
  script.meanwhile = async () => {
    script.meanwhile = () => {};
    world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
    const [attemptId] = await placesOf(endpoint.id);
    await concurrency.dropLapsed({ organizationId: organization.id, endpointId: endpoint.id }, [attemptId!]);
    const now = (await webhooks.find(organization.id, endpoint.id))!;
    await webhooks.change(now, { failuresInRow: 3 }, BY_SERVICE);
  };
  await drain(world);
  expect(await find(endpoint.id, id!)).toMatchObject({ status: 'delivered', attempts: 1 });
  expect(await webhooks.find(organization.id, endpoint.id)).toMatchObject({ failuresInRow: 0 });
});

type Step = { what: 'begin' | 'again' | 'end' | 'end again'; of: number } | { what: 'wait'; ms: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constant('begin' as const), of: fc.constant(0) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constantFrom('again' as const, 'end' as const, 'end again' as const),
      of: fc.nat(20),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('wait' as const), ms: fc.nat(WEBHOOK_LIMITS.webhookClaimMs) }),
  },
);

const isRefused = async (asked: Promise<unknown>): Promise<boolean> => {
  try {
    await asked;
    return false;
  } catch (error) {
    if (error instanceof ClaimConflict) return true;
    throw error;
  }
};

it('with any repeated, late or missing write: never too many slots, no slot taken away, and all free in the end', async () => {
  const delivery = await announced();
  const failed = (claimed: Delivery): Delivery =>
    settle(
      claimed,
      { ok: false, status: 500, failure: 'http', error: 'answered 500' },
      world.clock.ms,
      deliveries.SCHEDULE,
    );

  const look = async () => {
    const [{ lapsed, isBusy }] = (await deliveries.loadContexts([
      { organizationId: organization.id, endpointId: endpoint.id, deliveryId: delivery.id },
    ])) as [deliveries.DeliveryContext];
    if (lapsed.length > 0) await concurrency.dropLapsed(delivery, lapsed);
    return isBusy;
  };

  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const begun: { claimed: Delivery; sinceMs: number; isOver: boolean }[] = [];
      const take = async (each: Step): Promise<void> => {
        if (each.what === 'wait') {
          world.clock.ms += each.ms;
          return;
        }
        if (each.what === 'begin') {
          const isBusy = await look();
          const claimed = claimedBy(delivery);
          // A reader that looked before knows whether a slot is free.
          expect(await isRefused(concurrency.acquireSlot(claimed, endpoint))).toBe(isBusy);
          if (!isBusy) begun.push({ claimed, sinceMs: world.clock.ms, isOver: false });
          return;
        }
        const known = begun[each.of % Math.max(1, begun.length)];
        if (known === undefined || (each.what === 'end again' && !known.isOver)) return;
        if (each.what === 'again') await isRefused(concurrency.acquireSlot(known.claimed, endpoint));
        else await concurrency.releaseSlot(known.claimed, failed(known.claimed));
        if (each.what === 'end') known.isOver = true;
      };
      for (const each of steps) {
        await take(each);
        expect(await inFlight(endpoint.id)).toBeLessThanOrEqual(PLACES);
        const slots = await placesOf(endpoint.id);
        for (const { claimed, sinceMs, isOver } of begun)
          if (!isOver && world.clock.ms - sinceMs < WEBHOOK_LIMITS.webhookClaimMs)
            expect(slots).toContain(claimed.attemptId);
      }
      world.clock.ms += WEBHOOK_LIMITS.webhookClaimMs;
      expect(await look()).toBe(false);
      expect(await inFlight(endpoint.id)).toBe(0);
    }),
    { numRuns: runs(200) },
  );
});
