/**
 * `npm run bench:webhooks`: 100 deliveries due a second for 20 s, to ten endpoints of one organization, through the real
 * worker with the batch size and concurrency it is deployed with, over dynoxide and fauxqs. First all ten answer (the
 * floor of this machine), then one accepts and never answers. Prints how late attempts arrive at those that answer, by the
 * due time of their deliveries, and fails when the 99th percentile reaches 2 s.
 */
import { parseArgs } from 'node:util';
import { LIMITS } from '#shared/platform/limits.ts';
import { percentile } from './report.ts';
import { type Measured, measure } from './webhook-fairness-load.ts';
import { startWorkers } from './webhook-fairness-thread.ts';
import { startWebhookStack } from './webhook-stack.ts';

const ENDPOINTS = 10;
const LATE_MS_MAX = 2_000;
const WARM_UP_SECONDS = 5;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '20' }, 'runs-per-second': { type: 'string', default: '10' } },
});
const load = {
  endpoints: ENDPOINTS,
  seconds: Number(values.seconds),
  runsPerSecond: Number(values['runs-per-second']),
};

const report = (what: string, { lateMs, missing, hanging, units, cpuMs, ended }: Measured): number => {
  const [p50, p95, p99, most] = [0.5, 0.95, 0.99, 1].map((share) => percentile(lateMs, share));
  console.log(`${what}: ${lateMs.length} arrived, ${missing} did not`);
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

const stack = await startWebhookStack();
try {
  const workers = await startWorkers(process.env);
  try {
    // Lambda's environments are warm under such a load: compiled code is what is measured.
    await measure(workers, { ...load, seconds: WARM_UP_SECONDS, isOneHanging: false });
    await stack.rest();
    const floor = report('all answer', await measure(workers, { ...load, isOneHanging: false }));
    await stack.rest();
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
  await stack.stop();
}
