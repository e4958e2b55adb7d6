/** When each attempt arrives, to the millisecond, when attempts themselves take odd times. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { WEBHOOK_LIMITS } from '#shared/webhooks/limits.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { createEndpoint, drain, endRun, newOrganization, openWorld, type World } from './world.ts';

/** Duration of each attempt at the receiver. */
const TAKES_MS = [1, 1_234, 19_999, 7];
/** The queue delays by whole seconds, rounded up: a retry is never later than that, in however many steps. */
const LATE_MS_MAX = 999;

let world: World;
let receiver: Receiver;
let begins: number[];
let ends: number[];

beforeAll(async () => {
  world = await openWorld();
  receiver = await startReceiver((_, response) => {
    begins.push(world.clock.ms);
    world.clock.ms += TAKES_MS[begins.length - 1]!;
    ends.push(world.clock.ms);
    response.writeHead(begins.length === TAKES_MS.length ? 204 : 500).end();
  });
});
afterAll(async () => {
  await receiver.stop();
  await world.close();
});

it.each([
  ['one message at a time', 1],
  ['every message doubled', 2],
])('a retry is never early and less than a second late: %s', async (_, copies) => {
  begins = [];
  ends = [];
  const organization = await newOrganization();
  const { id } = await createEndpoint(organization, receiver.url);
  const dueMs = world.clock.ms;
  const [deliveryId] = await endRun(organization);
  await drain(world, () => copies);
  expect(begins).toHaveLength(TAKES_MS.length);
  const dues = [dueMs, ...WEBHOOK_LIMITS.webhookRetryDelaysMs.map((delayMs, n) => ends[n]! + delayMs)];
  const late = begins.map((at, n) => at - dues[n]!);
  expect(late[0]).toBe(0);
  expect(Math.min(...late)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...late)).toBeLessThanOrEqual(LATE_MS_MAX);
  expect(await deliveries.find(organization.id, id, deliveryId!)).toMatchObject({ status: 'delivered', attempts: 4 });
});
