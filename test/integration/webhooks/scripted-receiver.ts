/** Deliveries to one scripted receiver: one world per file, one organization per test. */
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { newId } from '#shared/platform/ids.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import { claim, type Delivery, type DeliveryAttempt } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import * as webhooks from '#shared/webhooks/endpoint.store.ts';
import { unpackBody } from '#shared/webhooks/event-body.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { newOrganization, type Organization, openWorld, type World } from './world.ts';

export let world: World;
export let organization: Organization;
export let receiver: Receiver;

interface Script {
  status: number;
  /** What happens at the receiver before it answers. */
  meanwhile: () => Promise<void> | void;
}

export const script: Script = { status: 204, meanwhile: () => {} };

/** Call it once, at the top of a file; with `startTable` where requests or units are counted. */
export const useScriptedReceiver = (start?: Parameters<typeof openWorld>[0]): void => {
  beforeAll(async () => {
    world = await openWorld(start);
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    organization = await newOrganization();
    Object.assign(script, { status: 204, meanwhile: () => {} } satisfies Script);
    receiver = await startReceiver(async (_, response) => {
      await script.meanwhile();
      response.writeHead(script.status).end();
    });
  });
  afterEach(async () => {
    world.queue.length = 0;
    await receiver.stop();
  });
};

export const find = (endpointId: string, deliveryId: string): Promise<Delivery | undefined> =>
  deliveries.find(organization.id, endpointId, deliveryId);

/** Ids of the attempts that hold a slot. */
export const placesOf = async (endpointId: string): Promise<string[]> => {
  const places = await table.get(keys.webhookSlots(organization.id, endpointId));
  return [...((places?.in_flight as ReadonlySet<string> | undefined) ?? [])];
};

export const inFlight = async (endpointId: string): Promise<number> => (await placesOf(endpointId)).length;

/** The body that the delivery stores to send. */
export const storedBody = async (endpointId: string, deliveryId: string): Promise<Uint8Array> => {
  const found = await table.get(keys.delivery(organization.id, endpointId, deliveryId));
  return unpackBody(deliveries.deliveryBodyItem.fromItem(found!).body);
};

/** An attempt that begins at `atMs`. */
export const newAttempt = (atMs: number): DeliveryAttempt => ({ id: newId(), atMs });

/** A worker that records its attempt and dies. */
export const claimAndDie = async (endpointId: string, deliveryId: string): Promise<void> => {
  const delivery = (await find(endpointId, deliveryId))!;
  const endpoint = (await webhooks.find(organization.id, endpointId))!;
  const claimed = claim(delivery, newAttempt(world.clock.ms), deliveries.SCHEDULE);
  await deliveries.claimAttempt(delivery, claimed, endpoint);
};
