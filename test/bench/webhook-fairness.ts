/**
 * `npm run bench:webhooks`: 100 deliveries due a second for 20 s, to ten endpoints of one organization, through the real
 * worker with the batch size and concurrency it is deployed with, over dynoxide and fauxqs. First all ten answer (the
 * floor of this machine), then one accepts and never answers. Prints how late attempts arrive at those that answer, by the
 * due time of their deliveries, and fails when the 99th percentile reaches 2 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createClock } from '#infra/local/clock.ts';
import { startQueues } from '#infra/local/queues.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { startTable } from '#test/helpers/dynamo.ts';
import { type Measured, measure } from './webhook-fairness-load.ts';
import { startWorkers } from './webhook-fairness-thread.ts';

const LATE_MS_MAX = 2_000;
const WARM_UP_SECONDS = 5;
/** What is left of one load must not weigh on the next. */
const REST_MS_MAX = 120_000;
const LOOK_MS = 100;
const QUEUE = 'webhook-deliveries';

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, 'runs-per-second': { type: 'string', default: '10' } },
});
const load = { seconds: Number(values.seconds), runsPerSecond: Number(values['runs-per-second']) };

const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.POSITIVE_INFINITY;

const report = (what: string, { lateMs, missing, hanging, units, cpuMs, ended }: Measured): number => {
  const sorted = lateMs.toSorted((a, b) => a - b);
  const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => percentile(sorted, share));
  console.log(`${what}: ${sorted.length} arrived, ${missing} did not`);
  console.log(`  late, ms: p50 ${p50}  p95 ${p95}  p99 ${p99}  max ${most}`);
  if (hanging) {
    const { due, attempts, most: atOnce, asked } = hanging;
    console.log(`  hanging: ${due} due, ${attempts} hung, at most ${atOnce} at once; asked ${asked} times for a place`);
  }
  const perDelivery = (n: number): string => (n / ended).toFixed(1);
  console.log(`  table units per delivery: ${perDelivery(units.read)} read, ${perDelivery(units.write)} written`);
  console.log(`  CPU per delivery: ${perDelivery(cpuMs)} ms, the table's own left out`);
  return missing > 0 ? Number.POSITIVE_INFINITY : (p99 ?? Number.POSITIVE_INFINITY);
};

const folder = mkdtempSync(join(tmpdir(), 'bench-webhooks-'));
const clock = createClock(join(folder, 'clock.json'));
const table = await startTable();
const queues = await startQueues({ clock, storageFolder: join(folder, 's3'), region: 'us-east-1' });
try {
  // As infra/constructs/work-queue.ts: six times the worker's time-out.
  const attributes = { VisibilityTimeout: '360' };
  await queues.create([{ name: QUEUE, arn: '', attributes, visibilityMs: 360_000 }], []);
  Object.assign(process.env, {
    STAGE: 'local',
    WEBHOOK_LOOPBACK_ALLOWED: 'true',
    ENCRYPTION_KEY_FILE: join(folder, 'key'),
    QUEUE_WEBHOOK_DELIVERIES_URL: queues.url(QUEUE),
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    POWERTOOLS_LOG_LEVEL: 'SILENT',
  });
  const rest = async (): Promise<void> => {
    for (const untilMs = performance.now() + REST_MS_MAX; ; await sleep(LOOK_MS)) {
      const state = (await queues.states())[QUEUE];
      if (state !== undefined && state.ready + state.inFlight + state.delayed === 0) return;
      if (performance.now() > untilMs)
        throw new Error('this machine cannot carry the load even without a hanging endpoint');
    }
  };
  const workers = await startWorkers(process.env);
  try {
    // Lambda's environments are warm under such a load: compiled code is what is measured.
    await measure(workers, { ...load, seconds: WARM_UP_SECONDS, isOneHanging: false });
    await rest();
    const floor = report('all answer', await measure(workers, { ...load, isOneHanging: false }));
    await rest();
    const p99 = report('one hangs', await measure(workers, { ...load, isOneHanging: true }));
    console.log(`p99 with one hanging ${p99} ms, without ${floor} ms, limit ${LATE_MS_MAX} ms`);
    console.log(
      `an endpoint has ${LIMITS.webhookInFlightPerEndpointMax} places, an attempt ${LIMITS.webhookAttemptMs} ms`,
    );
    if (p99 >= LATE_MS_MAX) process.exitCode = 1;
  } finally {
    await workers.stop();
  }
} finally {
  await queues.close();
  await table.stop();
  clock.close();
  rmSync(folder, { recursive: true, force: true });
}
