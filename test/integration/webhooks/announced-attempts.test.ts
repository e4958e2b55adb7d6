/**
 * First attempts that use only the message and the worker's memory: they read nothing from the table before the
 * request, and the table decides at the end.
 */

import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret } from '#shared/platform/crypto.ts';
import * as table from '#shared/table/table.ts';
import { announceRun } from '#shared/webhooks/announce.ts';
import { remind } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { disable, reactivate } from '#shared/webhooks/endpoint.rules.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { enqueueDeliveries } from '#shared/webhooks/enqueue-delivery.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { startReceiver } from './receiver.ts';
import {
  find,
  inFlight,
  organization,
  receiver,
  script,
  storedBody,
  useScriptedReceiver,
  world,
} from './scripted-receiver.ts';
import { createEndpoint, drain, endRun, receive, sweepDeliveries, takeNext } from './world.ts';

useScriptedReceiver(startTable);

/** An endpoint that this worker knows: it succeeded, and the worker has read it since. */
const knownEndpoint = async (): Promise<string> => {
  const { id } = await createEndpoint(organization, receiver.url);
  for (let n = 0; n < 2; n++) {
    await endRun(organization);
    await drain(world);
  }
  receiver.received.length = 0;
  return id;
};

const announcedNow = async () => {
  const [deliveryId] = await endRun(organization);
  return { deliveryId: deliveryId!, message: takeNext(world)!.body };
};

const endpointOf = async (id: string) => (await webhooks.find(organization.id, id))!;

describe('a first attempt at an endpoint that the worker knows', () => {
  it('reads nothing: it only writes the claim and the outcome', async () => {
    const id = await knownEndpoint();
    const { deliveryId, message } = await announcedNow();
    expect(await tableCallsOf(() => receive(message))).toMatchObject({ calls: 4, readUnits: 0, writeUnits: 5 });
    expect(receiver.received).toHaveLength(1);
    expect(await find(id, deliveryId)).toMatchObject({
      status: 'delivered',
      attempts: 1,
      responseStatus: 204,
      failure: null,
    });
    expect(receiver.received[0]!.body).toEqual(Buffer.from(await storedBody(id, deliveryId)));
  });

  it('is made once, however often its message comes, and together with others of the batch', async () => {
    const id = await knownEndpoint();
    const [one, two] = [await announcedNow(), await announcedNow()];
    await receive(one.message, two.message, one.message);
    await Promise.all([receive(one.message), receive(two.message)]);
    expect(receiver.received).toHaveLength(2);
    for (const { deliveryId } of [one, two])
      expect(await find(id, deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 });
    expect(await inFlight(id)).toBe(0);
  });

  it('goes to the endpoint’s present address, with its present secret', async () => {
    const id = await knownEndpoint();
    const other = await startReceiver((_, response) => response.writeHead(204).end());
    await webhooks.change(await endpointOf(id), { url: other.url }, BY_SERVICE);
    await receive((await announcedNow()).message);
    const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
    await webhooks.replaceSecret(
      organization.id,
      id,
      await encryptSecret(organization.id, webhooks.secretResource(id), secret),
      BY_SERVICE,
    );
    await receive((await announcedNow()).message);
    await other.stop();
    expect([receiver.received.length, other.received.length]).toEqual([0, 2]);
    const verified = other.received.map(({ body, headers }) => {
      try {
        new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    });
    expect(verified).toEqual([false, true]);
  });

  it('is not made to an endpoint that was deleted, disabled, or disabled and enabled again since', async () => {
    const id = await knownEndpoint();
    const { message, deliveryId } = await announcedNow();
    world.clock.ms++;
    await webhooks.change(await endpointOf(id), disable(await endpointOf(id), nowIso(), 'manual'), BY_SERVICE);
    await webhooks.change(await endpointOf(id), reactivate(await endpointOf(id)), BY_SERVICE);
    await receive(message);
    expect(await find(id, deliveryId)).toMatchObject({ status: 'failed', failure: 'stopped', attempts: 0 });

    for (const end of [
      async () => webhooks.change(await endpointOf(id), disable(await endpointOf(id), nowIso(), 'manual'), BY_SERVICE),
      () => webhooks.remove(organization.id, id, BY_SERVICE),
    ]) {
      const endpoint = await webhooks.find(organization.id, id);
      if (endpoint?.enabled === false) await webhooks.change(endpoint, reactivate(endpoint), BY_SERVICE);
      world.clock.ms++;
      const next = await announcedNow();
      await end();
      await receive(next.message);
      expect(await find(id, next.deliveryId)).toMatchObject({ status: 'failed', failure: 'stopped', attempts: 0 });
    }
    expect(receiver.received).toHaveLength(0);
    expect(await inFlight(id)).toBe(0);
  });

  it('is made to an endpoint that was disabled when the worker read it, and enabled again before the run ended', async () => {
    const id = await knownEndpoint();
    const { message } = await announcedNow();
    await webhooks.change(await endpointOf(id), disable(await endpointOf(id), nowIso(), 'manual'), BY_SERVICE);
    await receive(message);
    await webhooks.change(await endpointOf(id), reactivate(await endpointOf(id)), BY_SERVICE);
    world.clock.ms++;
    const { deliveryId, message: next } = await announcedNow();
    await receive(next);
    expect(await find(id, deliveryId)).toMatchObject({ status: 'delivered', attempts: 1 });
  });

  it('moves the due entry forward if the sweeper moved it meanwhile', async () => {
    const id = await knownEndpoint();
    const { message, deliveryId } = await announcedNow();
    world.clock.ms += MESSAGING_LIMITS.messageGraceMs / 2;
    const before = (await find(id, deliveryId))!;
    await deliveries.advance(before, remind(before, world.clock.ms + 2 * WEBHOOK_LIMITS.webhookClaimMs));
    let closesMs = 0;
    script.meanwhile = async () => {
      script.meanwhile = () => {};
      closesMs = Date.parse((await find(id, deliveryId))!.nextCheckAt!);
      world.clock.ms = closesMs;
      expect(await sweepDeliveries(organization)).toBe(1);
    };
    await receive(message);
    expect(closesMs).toBeGreaterThan(0);
    expect(await find(id, deliveryId)).toMatchObject({ status: 'pending', attempts: 1, failure: 'interrupted' });
  });

  it('waits if no slot is free', async () => {
    const id = await knownEndpoint();
    const all = await Promise.all(
      Array.from({ length: WEBHOOK_LIMITS.webhookInFlightPerEndpointMax + 1 }, () => announcedNow()),
    );
    let most = 0;
    script.meanwhile = async () => {
      most = Math.max(most, await inFlight(id));
    };
    await Promise.all(all.map(({ message }) => receive(message)));
    await drain(world);
    expect(receiver.received).toHaveLength(all.length);
    expect(most).toBeLessThanOrEqual(WEBHOOK_LIMITS.webhookInFlightPerEndpointMax);
  });

  it('stamps its success when the last stamp is old, once', async () => {
    const id = await knownEndpoint();
    world.clock.ms += WEBHOOK_LIMITS.webhookSuccessStampMs + 1;
    const stamps = new Set<string | null>([(await endpointOf(id)).lastSuccessAt]);
    for (let n = 0; n < 3; n++) {
      world.clock.ms++;
      await receive((await announcedNow()).message);
      stamps.add((await endpointOf(id)).lastSuccessAt);
    }
    expect(stamps.size).toBe(2);
  });
});

it('a body that is too long for a message is read, and arrives as it is stored', async () => {
  await knownEndpoint();
  const run = { organizationId: organization.id, at: nowIso() };
  const told = async (letters: number) => {
    const data = { note: 'é'.repeat(letters) };
    const { items, deliveries: hints } = await announceRun({ ...run, type: 'sync.succeeded', data });
    await table.transact(items);
    await enqueueDeliveries(hints);
    const { body } = takeNext(world)!;
    await receive(body);
    expect(JSON.parse(receiver.received.at(-1)!.body.toString())).toMatchObject({ data });
    return body.announced !== undefined;
  };
  expect([await told(100), await told(WEBHOOK_LIMITS.webhookBodyToldBytesMax / 2)]).toEqual([true, false]);
});
