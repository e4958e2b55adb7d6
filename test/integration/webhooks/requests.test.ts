/** What a delivery asks of the table: a promise of docs/performance.md, by counts that no machine changes. */

import { expect, it } from 'vitest';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { startReceiver } from './receiver.ts';
import { organization, receiver, useScriptedReceiver, world } from './scripted-receiver.ts';
import { createEndpoint, endRun, receive, takeNext } from './world.ts';

/** A batch of the deployed worker. */
const BATCH = 10;

useScriptedReceiver(startTable);

const takeAll = () => Array.from({ length: world.queue.length }, () => takeNext(world)!.body);

/** The first success of an endpoint is stamped on it. */
const endpointsThatWork = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n++) await createEndpoint(organization, receiver.url);
  await endRun(organization);
  await receive(...takeAll());
};

it('a delivery to an endpoint that its worker does not know reads once, 4 units, and writes twice, 9 units', async () => {
  await endpointsThatWork(1);
  await endRun(organization);
  const calls = await tableCallsOf(() => receive(...takeAll()));
  expect(receiver.received).toHaveLength(2);
  expect(calls).toMatchObject({ calls: 3, readUnits: 4, writeUnits: 9 });
});

it('a batch reads once for all its messages, and their event once', async () => {
  await endpointsThatWork(BATCH);
  await endRun(organization);
  const calls = await tableCallsOf(() => receive(...takeAll()));
  expect(receiver.received).toHaveLength(2 * BATCH);
  expect(calls).toMatchObject({ calls: 1 + 2 * BATCH, readUnits: 3 * BATCH + 1, writeUnits: 9 * BATCH });
});

it('an attempt that fails and is tried again asks no more often', async () => {
  const failing = await startReceiver((_, response) => response.writeHead(500).end());
  await createEndpoint(organization, failing.url);
  await endRun(organization);
  const calls = await tableCallsOf(() => receive(...takeAll()));
  await failing.stop();
  expect(failing.received).toHaveLength(1);
  expect(calls).toMatchObject({ calls: 3, readUnits: 4 });
});

it('a message that names no event, or another one, is delivered as the delivery says', async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  const [first, second] = [await endRun(organization), await endRun(organization)].flat();
  const [one, other] = takeAll();
  const { eventId: _, ...unnamed } = one!;
  await receive(unnamed);
  await receive({ ...other!, eventId: one!.eventId! });
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([first, second]);
  for (const [n, deliveryId] of [first, second].entries()) {
    const { eventId } = (await deliveries.find(organization.id, id, deliveryId!))!;
    const event = await table.get(keys.event(organization.id, eventId));
    expect(receiver.received[n]!.body.equals(event!.body as Uint8Array)).toBe(true);
  }
});
