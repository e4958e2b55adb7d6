/**
 * A table, a queue of messages and a clock that a test moves: the worker's handler is called with the next message of
 * the queue, as SQS would call it. A test simulates loss, duplicates and death by what it does with the messages.
 */

import { randomUUID } from 'node:crypto';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { Context, SQSEvent } from 'aws-lambda';
import { contract as createContract } from '#functions/api/webhooks/create-webhook/contract.ts';
import { handler as createHandler } from '#functions/api/webhooks/create-webhook/handler.ts';
import { handler as deliverHandler } from '#functions/workers/deliver-webhook/handler.ts';
import type { DeliveryDue } from '#shared/messaging/queues.ts';
import { nowIso, plantClock } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import { dueShards, dueUpTo, parseDueKey } from '#shared/table/due-keys.ts';
import * as table from '#shared/table/table.ts';
import type { EventType } from '#shared/values/event-types.ts';
import { announceRun } from '#shared/webhooks/announce.ts';
import { enqueueDeliveries } from '#shared/webhooks/enqueue-delivery.ts';
import { recoverDelivery } from '#shared/webhooks/recover-delivery.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { type EngineTable, startEngineTable } from '#test/fakes/quick-table.ts';
import { keyOf } from '#test/helpers/callers.ts';
import { call } from '#test/helpers/http.ts';
import { useKeyFile } from '#test/helpers/key-file.ts';
import { useSharedSecretIssuer } from '#test/helpers/sessions.ts';

export interface Message {
  body: DeliveryDue;
  groupId: string | undefined;
  visibleMs: number;
}

export interface World {
  clock: { ms: number };
  /** Messages not received yet. */
  queue: Message[];
  close(): Promise<void>;
}

/** Pass `startTable` where a test counts requests or units. */
export const openWorld = async (start: () => Promise<EngineTable> = startEngineTable): Promise<World> => {
  const running = await start();
  const key = useKeyFile();
  Object.assign(process.env, {
    STAGE: 'test',
    WEBHOOK_LOOPBACK_ALLOWED: 'true',
    QUEUE_URL_PREFIX: 'http://127.0.0.1:1/',
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  useSharedSecretIssuer();
  const clock = { ms: Date.now() };
  plantClock(() => clock.ms);
  const queue: Message[] = [];
  const sqs = mockAwsClient(SQSClient);
  sqs.on(SendMessageCommand).callsFake((input: SendMessageCommand['input']) => {
    const body = JSON.parse(input.MessageBody ?? '') as DeliveryDue;
    queue.push({ body, groupId: input.MessageGroupId, visibleMs: clock.ms + (input.DelaySeconds ?? 0) * 1_000 });
    return {};
  });
  return {
    clock,
    queue,
    close: async () => {
      sqs.restore();
      plantClock(undefined);
      key.remove();
      await running.stop();
    },
  };
};

/** The event as SQS passes it to the worker. */
export const deliverEvent = (...bodies: DeliveryDue[]): SQSEvent => ({
  Records: bodies.map((body) => ({
    messageId: randomUUID(),
    receiptHandle: 'receipt',
    body: JSON.stringify(body),
    attributes: {
      ApproximateReceiveCount: '1',
      SentTimestamp: '0',
      SenderId: 'sender',
      ApproximateFirstReceiveTimestamp: '0',
    },
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:webhook-deliveries',
    awsRegion: 'us-east-1',
  })),
});

const context = {
  functionName: 'deliver-webhook',
  awsRequestId: randomUUID(),
  getRemainingTimeInMillis: () => 60_000,
} as unknown as Context;

/** Calls the worker; throws if it returned a message to the queue. */
export const receive = async (...bodies: DeliveryDue[]): Promise<void> => {
  const { batchItemFailures } = await deliverHandler(deliverEvent(...bodies), context);
  if (batchItemFailures.length > 0) throw new Error('the worker gave a message back');
};

/** Takes the next message and moves the clock to its time. */
export const takeNext = ({ clock, queue }: World): Message | undefined => {
  const next = queue.toSorted((a, b) => a.visibleMs - b.visibleMs)[0];
  if (!next) return undefined;
  queue.splice(queue.indexOf(next), 1);
  clock.ms = Math.max(clock.ms, next.visibleMs);
  return next;
};

/** Delivers messages one by one until none is left. `each` returns how often a message is delivered in a row. */
export const drain = async (world: World, each: () => number = () => 1): Promise<void> => {
  for (let message = takeNext(world); message; message = takeNext(world))
    for (let copies = each(); copies > 0; copies--) await receive(message.body);
};

/** Runs the sweeper on deliveries of an organization. Returns how many it found. */
export const sweepDeliveries = async (organization: Organization): Promise<number> => {
  let found = 0;
  for (const shard of dueShards())
    for await (const page of table.queryDuePages(shard, dueUpTo(nowIso())))
      for (const key of page) {
        const due = parseDueKey(key);
        if (due?.kind !== 'delivery' || due.organizationId !== organization.id) continue;
        found++;
        await recoverDelivery(due);
      }
  return found;
};

export interface Organization {
  id: string;
  headers: Record<string, string>;
}

export const newOrganization = async (): Promise<Organization> => {
  const id = randomUUID();
  const { token } = await keyOf(id);
  return { id, headers: { authorization: `Bearer ${token}` } };
};

export interface TestEndpoint {
  id: string;
  secret: string;
}

export const createEndpoint = async (
  { headers }: Organization,
  url: string,
  eventTypes: EventType[] = ['sync.succeeded'],
): Promise<TestEndpoint> => {
  const { status, body, text } = await call(createContract, createHandler, {
    headers,
    body: { url, event_types: eventTypes },
  });
  if (status !== 201) throw new Error(text);
  return body.data as TestEndpoint;
};

/** Four scopes: no source has more. */
const SCOPES = ['movements', 'transfers', 'balances', 'nominas'];

/** Ends a run as the engine does. Returns the ids of the deliveries. */
export const endRun = async ({ id }: Organization, type: EventType = 'sync.succeeded'): Promise<string[]> => {
  const scopeOutcomes = SCOPES.map((scope) => ({
    scope,
    status: 'ok',
    recordsFound: 1_234,
    durationMs: 43_210,
    period: '2026-10',
  }));
  const named = { syncRunId: newId(), organizationId: id, connectionId: randomUUID() };
  const data = { ...named, status: type.slice(5), scopes: SCOPES, scopeOutcomes, note: 'ñ á € 😀' };
  const { items, deliveries } = await announceRun({ organizationId: id, type, data, at: nowIso() });
  if (items.length > 0) await table.transact(items);
  await enqueueDeliveries(deliveries);
  return deliveries.map(({ deliveryId }) => deliveryId);
};
