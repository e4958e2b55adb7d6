/**
 * Requests of a delivery to the table: a promise of docs/performance.md, in counts that do not depend on the machine.
 */

import { expect, it } from 'vitest';
import type { DeliveryDue } from '#shared/messaging/queues.ts';
import { forgetEndpoint } from '#shared/webhooks/endpoint-cache.ts';
import { tableCallsOf } from '#test/bench/table-calls.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { startReceiver } from './receiver.ts';
import { organization, receiver, storedBody, useScriptedReceiver, world } from './scripted-receiver.ts';
import { createEndpoint, endRun, receive, type TestEndpoint, takeNext } from './world.ts';

/** Batch size of the deployed worker. */
const BATCH = 10;

useScriptedReceiver(startTable);

const takeAll = () => Array.from({ length: world.queue.length }, () => takeNext(world)!.body);

/** Endpoints with a stamped first success, which this worker has forgotten: as if another worker had stamped it. */
const endpointsThatWork = async (count: number): Promise<void> => {
  const endpoints: TestEndpoint[] = [];
  for (let n = 0; n < count; n++) endpoints.push(await createEndpoint(organization, receiver.url));
  await endRun(organization);
  await receive(...takeAll());
  for (const { id } of endpoints) forgetEndpoint({ organizationId: organization.id, endpointId: id });
};

it("the end of a run writes 3 units for a delivery with the event's body, of the most scopes that a source has", async () => {
  await createEndpoint(organization, receiver.url);
  expect(await tableCallsOf(() => endRun(organization))).toMatchObject({ calls: 2, readUnits: 1, writeUnits: 3 });
  await createEndpoint(organization, receiver.url);
  expect(await tableCallsOf(() => endRun(organization))).toMatchObject({ calls: 2, readUnits: 1, writeUnits: 6 });
});

it('a delivery to an endpoint that its worker does not know reads once, 3 units, and writes 5 units', async () => {
  await endpointsThatWork(1);
  await endRun(organization);
  const calls = await tableCallsOf(() => receive(...takeAll()));
  expect(receiver.received).toHaveLength(2);
  expect(calls).toMatchObject({ calls: 5, readUnits: 3, writeUnits: 5 });
});

it('a batch reads once for all its messages', async () => {
  await endpointsThatWork(BATCH);
  await endRun(organization);
  const calls = await tableCallsOf(() => receive(...takeAll()));
  expect(receiver.received).toHaveLength(2 * BATCH);
  expect(calls).toMatchObject({ calls: 1 + 4 * BATCH, readUnits: 3 * BATCH, writeUnits: 5 * BATCH });
});

it('an attempt that fails and is tried again asks no more often', async () => {
  const failing = await startReceiver((_, response) => response.writeHead(500).end());
  await createEndpoint(organization, failing.url);
  await endRun(organization);
  const calls = await tableCallsOf(() => receive(...takeAll()));
  await failing.stop();
  expect(failing.received).toHaveLength(1);
  expect(calls).toMatchObject({ calls: 5, readUnits: 3 });
});

it('a message without the event is delivered from the stored delivery', async () => {
  const { id } = await createEndpoint(organization, receiver.url);
  const [deliveryId] = await endRun(organization);
  const [{ announced: _, ...untold }] = takeAll() as [DeliveryDue];
  await receive(untold);
  expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([deliveryId]);
  expect(receiver.received[0]!.body).toEqual(Buffer.from(await storedBody(id, deliveryId!)));
});
