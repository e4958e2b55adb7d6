/**
 * `node test/bench/deliveries.ts`: lines 7 and 8. The real worker of webhooks with the batch size and concurrency it is
 * deployed with, over dynoxide and fauxqs. Line 7: runs that end now and then, and when their first attempt is at the
 * receiver, by the instant the run ended. Line 8: deliveries to ten endpoints, three of each under way at any time (the
 * next message is sent when one has arrived), in turns with the durable minimum at the same concurrency. `--seconds 30 --deliveries 2000 --rounds 5`.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { contract } from '#functions/workers/deliver-webhook/contract.ts';
import { inParallel } from '#shared/data/batches.ts';
import type { DeliveryHint } from '#shared/domain/delivery.ts';
import { hintDelivery } from '#shared/messaging/webhook-hints.ts';
import { newId } from '#shared/platform/ids.ts';
import type { FloorLanes, FloorMessage } from './delivery-floor-thread.ts';
import { atLeast, atMost, conclude, median, percentile, spread } from './report.ts';
import { measure, writeRunEnd } from './webhook-fairness-load.ts';
import { startWorkers } from './webhook-fairness-thread.ts';
import { type Receiver, startReceiver, subscribe } from './webhook-receivers.ts';
import { FLOOR, startWebhookStack } from './webhook-stack.ts';

const ENDPOINTS = 10;
const TO_REACH = { p50Ms: 150, p99Ms: 1_000, rateOfFloor: 0.6 };
const WARM_UP_SECONDS = 5;
const RUNS_PER_SECOND = 5;
/** Of each endpoint: fewer than its places, so that none waits for one. */
const UNDER_WAY = 3;
const RUNS_WRITTEN_AT_A_TIME = 8;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '30' },
    deliveries: { type: 'string', default: '2000' },
    rounds: { type: 'string', default: '5' },
  },
});
const count = Math.ceil(Number(values.deliveries) / ENDPOINTS) * ENDPOINTS;

interface Sent {
  receiver: Receiver;
  id: string;
  send(): Promise<void>;
}

/** Seconds until all have arrived and were verified, with so many of each endpoint under way. */
const secondsUntilArrived = async (all: readonly Sent[], underWay: number): Promise<number> => {
  const startedMs = performance.now();
  const groups = [...Map.groupBy(all, ({ receiver }) => receiver).values()];
  await Promise.all(
    groups.map((group) =>
      inParallel(group, underWay, async ({ receiver, id, send }) => {
        const arrival = receiver.arrival(id);
        await send();
        await arrival;
      }),
    ),
  );
  return (performance.now() - startedMs) / 1000;
};

const stack = await startWebhookStack();
const workers = await startWorkers(process.env);
const floorThreads = Array.from({ length: availableParallelism() }, () => {
  // As many long polls as the worker's threads may have invocations at a time.
  const lanes = Math.ceil(contract.trigger.maxConcurrency / availableParallelism());
  const workerData: FloorLanes = { queueUrl: stack.url(FLOOR), lanes };
  return new Worker(new URL('./delivery-floor-thread.ts', import.meta.url), { workerData });
});
for (const thread of floorThreads)
  thread.on('error', (error) => {
    throw error;
  });

const receivers = await Promise.all(Array.from({ length: ENDPOINTS }, () => startReceiver()));
const organizationId = newId();
const receiverOf = new Map<string, Receiver>();
for (const receiver of receivers) receiverOf.set(await subscribe(organizationId, receiver), receiver);
const sqs = new SQSClient({ useQueueUrlAsEndpoint: false });

const ours = async (underWay: number): Promise<number> => {
  const hints: DeliveryHint[] = [];
  await inParallel(Array.from({ length: count / ENDPOINTS }), RUNS_WRITTEN_AT_A_TIME, async () => {
    hints.push(...(await writeRunEnd(organizationId)));
  });
  const seconds = await secondsUntilArrived(
    hints.map((hint) => ({
      receiver: receiverOf.get(hint.endpointId)!,
      id: hint.deliveryId,
      send: () => hintDelivery(hint),
    })),
    underWay,
  );
  await stack.rest();
  return seconds;
};

const BODY = JSON.stringify({
  type: 'sync.succeeded',
  timestamp: new Date().toISOString(),
  data: { syncRunId: newId() },
});

const floor = async (underWay: number): Promise<number> => {
  const messages = Array.from({ length: count }, (_, n): Sent => {
    const receiver = receivers[n % ENDPOINTS]!;
    const { url, secret } = receiver;
    const id = newId();
    const item = { pk: `FLOOR#${n % ENDPOINTS}`, sk: id, id, organization_id: organizationId, note: 'x'.repeat(400) };
    const MessageBody = JSON.stringify({ url, secret, id, body: BODY, item } satisfies FloorMessage);
    const send = async (): Promise<void> => {
      await sqs.send(new SendMessageCommand({ QueueUrl: stack.url(FLOOR), MessageBody }));
    };
    return { receiver, id, send };
  });
  return secondsUntilArrived(messages, underWay);
};

try {
  const load = { endpoints: 1, runsPerSecond: RUNS_PER_SECOND, isOneHanging: false };
  await measure(workers, { ...load, seconds: WARM_UP_SECONDS });
  const { lateMs, missing } = await measure(workers, { ...load, seconds: Number(values.seconds) });
  if (missing > 0) throw new Error(`${missing} first attempts never came`);
  const [p50, p99] = [percentile(lateMs, 0.5), percentile(lateMs, 0.99)];
  console.log(`first attempts of ${lateMs.length} runs: p50 ${p50} ms, p99 ${p99} ms`);

  await floor(UNDER_WAY);
  await ours(UNDER_WAY);
  const rounds: { floorSeconds: number; seconds: number; writtenUnits: number; readUnits: number }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    const before = await workers.units();
    const seconds = await ours(UNDER_WAY);
    const after = await workers.units();
    const floorSeconds = await floor(UNDER_WAY);
    const writtenUnits = (after.write - before.write) / count;
    const readUnits = (after.read - before.read) / count;
    rounds.push({ floorSeconds, seconds, writtenUnits, readUnits });
    console.log(
      `round ${round + 1}: ${(count / seconds).toFixed(0)} deliveries/s, the floor ${(count / floorSeconds).toFixed(0)}; ` +
        `a delivery ${readUnits.toFixed(1)} units read, ${writtenUnits.toFixed(1)} written`,
    );
  }
  const ofFloor = rounds.map(({ floorSeconds, seconds }) => floorSeconds / seconds);
  conclude(
    'deliveries',
    [
      atMost(7, 'run ended to first attempt at the receiver, p50 ms', p50, TO_REACH.p50Ms),
      atMost(7, 'the same, p99 ms', p99, TO_REACH.p99Ms),
      atLeast(8, 'deliveries/s to ten endpoints, of the floor', median(ofFloor), TO_REACH.rateOfFloor, spread(ofFloor)),
    ],
    {
      lateMs: lateMs.toSorted((a, b) => a - b),
      deliveries: count,
      perSecond: spread(
        rounds.map(({ seconds }) => count / seconds),
        0,
      ),
      floorPerSecond: spread(
        rounds.map(({ floorSeconds }) => count / floorSeconds),
        0,
      ),
      rounds,
    },
  );
} finally {
  await workers.stop();
  await Promise.all(floorThreads.map((thread) => thread.terminate()));
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await stack.stop();
}
