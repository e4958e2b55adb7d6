/**
 * `node test/bench/deliveries.ts`: lines 7 and 8. The real webhook worker with its deployed batch size and concurrency,
 * over dynoxide and fauxqs. Line 7: runs that end now and then, and the time from the end of the run until its first
 * attempt reaches the receiver. Line 8: deliveries to ten endpoints, three of each under way at any time (the next
 * message is sent when one has arrived), in turns with the durable minimum at the same concurrency. `--seconds 30
 * --deliveries 2000 --rounds 5`.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { stageNamed } from '#infra/stages.ts';
import { withoutSdkLogging } from '#shared/platform/aws.ts';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { newId } from '#shared/platform/ids.ts';
import type { DeliveryMessage } from '#shared/webhooks/delivery.rules.ts';
import { enqueueDelivery } from '#shared/webhooks/enqueue-delivery.ts';
import type { FloorLanes, FloorMessage } from './delivery-floor-thread.ts';
import { measure, writeRunEnd } from './delivery-load.ts';
import { startWorkers } from './delivery-workers.ts';
import { childrenSeconds } from './process-time.ts';
import { atLeast, atMost, conclude, median, percentile, spread } from './report.ts';
import { type Receiver, startReceiver, subscribe } from './webhook-receivers.ts';
import { FLOOR, startWebhookStack } from './webhook-stack.ts';

const ENDPOINTS = 10;
const TO_REACH = { p50Ms: 150, p99Ms: 1_000, rateOfFloor: 0.6 };
const WARM_UP_SECONDS = 5;
const RUNS_PER_SECOND = 5;
/** Deliveries under way per endpoint: fewer than its slots, so that no delivery waits for a slot. */
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

interface Took {
  seconds: number;
  /** CPU time per delivery, in ms: workers, queue, receivers and sender together; and the table. */
  cpuMs: number;
  tableMs: number;
}

const cpu = () => ({ own: process.cpuUsage(), table: childrenSeconds() });

/** Waits until all have arrived and were verified, with `underWay` deliveries of each endpoint at a time. */
const untilArrived = async (all: readonly Sent[], underWay: number): Promise<Took> => {
  const startedMs = performance.now();
  const before = cpu();
  const groups = [...Map.groupBy(all, ({ receiver }) => receiver).values()];
  await Promise.all(
    groups.map((group) =>
      forEachConcurrent(group, underWay, async ({ receiver, id, send }) => {
        const arrival = receiver.arrival(id);
        await send();
        await arrival;
      }),
    ),
  );
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.cpuUsage(before.own);
  return {
    seconds,
    cpuMs: (user + system) / 1_000 / all.length,
    tableMs: ((cpu().table - before.table) * 1_000) / all.length,
  };
};

const stack = await startWebhookStack();
const workers = await startWorkers(process.env);
const floorThreads = Array.from({ length: availableParallelism() }, () => {
  // As many long polls as the worker's threads may have invocations at a time.
  const lanes = Math.ceil(stageNamed('prod').concurrency.webhooks / availableParallelism());
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
const subscribeAll = async (): Promise<void> => {
  for (const receiver of receivers) receiverOf.set(await subscribe(organizationId, receiver), receiver);
};
// Configured as the service's own client.
const sqs = withoutSdkLogging(new SQSClient({ useQueueUrlAsEndpoint: false }));

const ours = async (underWay: number): Promise<Took> => {
  const hints: DeliveryMessage[] = [];
  await forEachConcurrent(Array.from({ length: count / ENDPOINTS }), RUNS_WRITTEN_AT_A_TIME, async () => {
    hints.push(...(await writeRunEnd(organizationId)));
  });
  const took = await untilArrived(
    hints.map((hint) => ({
      receiver: receiverOf.get(hint.endpointId)!,
      id: hint.deliveryId,
      send: () => enqueueDelivery(hint),
    })),
    underWay,
  );
  await stack.rest();
  return took;
};

const computed = ({ cpuMs, tableMs }: Took): string => `${cpuMs.toFixed(1)} + ${tableMs.toFixed(1)} ms of a core`;

const BODY = JSON.stringify({
  type: 'sync.succeeded',
  timestamp: new Date().toISOString(),
  data: { syncRunId: newId() },
});

const floor = async (underWay: number): Promise<Took> => {
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
  const took = await untilArrived(messages, underWay);
  await stack.rest(FLOOR);
  return took;
};

try {
  const load = { runsPerSecond: RUNS_PER_SECOND };
  await measure({ ...load, seconds: WARM_UP_SECONDS });
  const { lateMs, missing } = await measure({ ...load, seconds: Number(values.seconds) });
  if (missing > 0) throw new Error(`${missing} first attempts never came`);
  const [p50, p99] = [percentile(lateMs, 0.5), percentile(lateMs, 0.99)];
  console.log(`first attempts of ${lateMs.length} runs: p50 ${p50} ms, p99 ${p99} ms`);

  await subscribeAll();
  await floor(UNDER_WAY);
  const before = await workers.units();
  await ours(UNDER_WAY);
  const after = await workers.units();
  const units = { read: (after.read - before.read) / count, written: (after.write - before.write) / count };
  console.log(`a delivery ${units.read.toFixed(1)} units read, ${units.written.toFixed(1)} written`);
  // The floor does not request units either.
  workers.countNoMore();
  const rounds: { floorTook: Took; took: Took }[] = [];
  for (let round = 0; round < Number(values.rounds); round++) {
    // Otherwise each round would be slower than the previous one: the service's because of its transactions, the
    // floor's not.
    await stack.renewTable();
    await subscribeAll();
    const took = await ours(UNDER_WAY);
    const floorTook = await floor(UNDER_WAY);
    rounds.push({ floorTook, took });
    console.log(
      `round ${round + 1}: ${(count / took.seconds).toFixed(0)} deliveries/s, the floor ${(count / floorTook.seconds).toFixed(0)}; ` +
        `a delivery ${computed(took)}, the floor's ${computed(floorTook)}`,
    );
  }
  const ofFloor = rounds.map(({ floorTook, took }) => floorTook.seconds / took.seconds);
  conclude(
    'deliveries',
    [
      atMost(7, 'run ended to first attempt at the receiver, p50 ms', { value: p50, limit: TO_REACH.p50Ms }),
      atMost(7, 'the same, p99 ms', { value: p99, limit: TO_REACH.p99Ms }),
      atLeast(8, 'deliveries/s to ten endpoints, of the floor', {
        value: median(ofFloor),
        limit: TO_REACH.rateOfFloor,
        figure: spread(ofFloor),
      }),
    ],
    {
      lateMs: lateMs.toSorted((a, b) => a - b),
      deliveries: count,
      perSecond: spread(
        rounds.map(({ took }) => count / took.seconds),
        0,
      ),
      floorPerSecond: spread(
        rounds.map(({ floorTook }) => count / floorTook.seconds),
        0,
      ),
      units,
      rounds,
    },
  );
} finally {
  await workers.stop();
  await Promise.all(floorThreads.map((thread) => thread.terminate()));
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  await stack.stop();
}
