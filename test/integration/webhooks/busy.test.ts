/** A table or a queue that refuses calls while webhooks are delivered and the API is asked: no attempt is spent. */
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { contract as createContract } from '#functions/api/webhooks/create-webhook/contract.ts';
import { handler as createHandler } from '#functions/api/webhooks/create-webhook/handler.ts';
import { contract as listContract } from '#functions/api/webhooks/list-webhooks/contract.ts';
import { handler as listHandler } from '#functions/api/webhooks/list-webhooks/handler.ts';
import { handler as deliverHandler } from '#functions/workers/deliver-webhook/handler.ts';
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import type { DeliveryDue } from '#shared/messaging/queues.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { call } from '#test/helpers/http.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import {
  createEndpoint,
  deliverEvent,
  drain,
  endRun,
  newOrganization,
  type Organization,
  openWorld,
  takeNext,
  type World,
} from './world.ts';

/** A wait moves the clock of the world. */
const virtual = vi.hoisted(() => ({ advance: (_: number): void => undefined }));
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<object>()),
  setTimeout: async (ms: number) => virtual.advance(ms),
}));

let world: World;
let organization: Organization;
let receiver: Receiver;
let posts: number;
beforeAll(async () => {
  world = await openWorld();
  virtual.advance = (ms) => {
    world.clock.ms += ms;
  };
});
afterAll(() => world.close());
beforeEach(async () => {
  organization = await newOrganization();
  posts = 0;
  receiver = await startReceiver((_, response) => {
    posts++;
    response.writeHead(204).end();
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  world.queue.length = 0;
  await receiver.stop();
});

const throttled = () => Object.assign(new Error('busy'), { name: 'ThrottlingException' });

/** Refuses the calls of the table for which `isRefused` is true. */
const refuse = (isRefused: (call: string) => boolean): void => {
  const { send } = DynamoDBDocumentClient.prototype;
  vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(function (this: never, ...given: unknown[]) {
    if (isRefused((given[0] as object).constructor.name)) return Promise.reject(throttled());
    return (send as (...all: unknown[]) => Promise<unknown>).apply(this, given);
  } as never);
};

/** One invocation of a minute. Returns the number of messages that go back to the queue, and its seconds. */
const invoke = async (...bodies: DeliveryDue[]): Promise<{ back: number; seconds: number }> => {
  const beganMs = world.clock.ms;
  const getRemainingTimeInMillis = () => beganMs + 60_000 - world.clock.ms;
  const context = { awsRequestId: 'one', getRemainingTimeInMillis } as unknown as Context;
  const { batchItemFailures } = await deliverHandler(deliverEvent(...bodies), context);
  return { back: batchItemFailures.length, seconds: (world.clock.ms - beganMs) / 1_000 };
};

/** Returns the messages of a run that ended. */
const announce = async (): Promise<DeliveryDue[]> => {
  await createEndpoint(organization, receiver.url);
  await endRun(organization);
  return world.queue.splice(0).map(({ body }) => body);
};

const stateOf = async ({ endpointId, deliveryId }: DeliveryDue) => {
  const { status, attempts } = (await deliveries.find(organization.id, endpointId, deliveryId))!;
  return { status, attempts };
};

test('a claim that is refused for some seconds is made in the same invocation', async () => {
  const messages = await announce();
  const untilMs = world.clock.ms + 20_000;
  refuse(() => world.clock.ms < untilMs);
  expect(await invoke(messages[0]!)).toMatchObject({ back: 0 });
  expect(posts).toBe(1);
  expect(await stateOf(messages[0]!)).toEqual({ status: 'delivered', attempts: 1 });
});

test('a claim that is refused longer: the message goes back in time, and no attempt is spent', async () => {
  const messages = await announce();
  refuse((call) => call !== 'GetCommand' && call !== 'BatchGetCommand');
  const { back, seconds } = await invoke(messages[0]!);
  expect([back, posts]).toEqual([1, 0]);
  expect(seconds).toBeLessThan(30);
  vi.restoreAllMocks();
  expect(await stateOf(messages[0]!)).toEqual({ status: 'pending', attempts: 0 });
  expect(await invoke(messages[0]!)).toMatchObject({ back: 0 });
  expect(await stateOf(messages[0]!)).toEqual({ status: 'delivered', attempts: 1 });
  await drain(world);
  expect(posts).toBe(1);
  expect(takeNext(world)).toBeUndefined();
});

test('the outcome of an attempt waits until the invocation ends', async () => {
  const messages = await announce();
  let untilMs = Number.POSITIVE_INFINITY;
  refuse(() => {
    if (posts > 0 && untilMs === Number.POSITIVE_INFINITY) untilMs = world.clock.ms + 40_000;
    return posts > 0 && world.clock.ms < untilMs;
  });
  expect(await invoke(messages[0]!)).toMatchObject({ back: 0 });
  expect(await stateOf(messages[0]!)).toEqual({ status: 'delivered', attempts: 1 });
});

const list = () => call(listContract, listHandler, { headers: organization.headers });

test('a reader gets 503 with Retry-After within seconds, and never 500', async () => {
  refuse(() => true);
  const beganMs = world.clock.ms;
  const answer = await list();
  expect(answer.status).toBe(503);
  expect(answer.headers['retry-after']).toBe('2');
  expect(answer.body.error.code).toBe('temporarily_unavailable');
  expect(world.clock.ms - beganMs).toBeLessThanOrEqual(3_000);
});

// The logic gives up before the table answers again, and the key is released after it.
const BUSY_MS = PLATFORM_LIMITS.busyWaitMs - HTTP_LIMITS.idempotencyReserveMs / 2;

test('a request with an Idempotency-Key that got 503 may be repeated at once', async () => {
  let untilMs: number | undefined;
  let isKeyClaimed = false;
  refuse((command) => {
    // The first call of the logic comes after that of the key.
    if (command === 'TransactWriteCommand' && isKeyClaimed) untilMs ??= world.clock.ms + BUSY_MS;
    isKeyClaimed ||= command === 'PutCommand';
    return world.clock.ms < (untilMs ?? 0);
  });
  const create = () =>
    call(createContract, createHandler, {
      headers: { ...organization.headers, 'idempotency-key': 'one' },
      body: { url: receiver.url, event_types: ['sync.failed'] },
    });
  expect((await create()).status).toBe(503);
  expect((await create()).status).toBe(201);
});

test('a reader does not wait for the stamp of its key', async () => {
  refuse((command) => command === 'TransactWriteCommand');
  const beganMs = world.clock.ms;
  expect((await list()).status).toBe(200);
  expect(world.clock.ms).toBe(beganMs);
});

test('a reader notices nothing of a table that is busy for a second', async () => {
  const untilMs = world.clock.ms + 1_000;
  refuse(() => world.clock.ms < untilMs);
  expect((await list()).status).toBe(200);
});
