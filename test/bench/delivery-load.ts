/** Runs that end, an endpoint that receives them, and the time of each first attempt. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import * as table from '#shared/table/table.ts';
import { announceRun } from '#shared/webhooks/announce.ts';
import { enqueueDeliveries } from '#shared/webhooks/enqueue-delivery.ts';
import { startReceiver, subscribe } from './webhook-receivers.ts';

/** How long the benchmark waits for deliveries after the last run: far more than the judged limit. */
const GRACE_MS = 30_000;
const LOOK_MS = 100;

export interface Load {
  seconds: number;
  /** Each run makes one delivery. */
  runsPerSecond: number;
}

export interface Measured {
  /** Arrival minus due time of every delivery that arrived. */
  lateMs: number[];
  missing: number;
}

/** Writes the end of a run as the engine does; its messages are not sent yet. */
export const writeRunEnd = async (organizationId: string) => {
  const named = { organizationId, connectionId: randomUUID(), runId: newId() };
  const run = { ...named, type: 'sync.succeeded' as const, at: nowIso(), data: { syncRunId: named.runId } };
  const { items, deliveries: hints } = await announceRun(run);
  await table.transact(items);
  return hints;
};

const endRun = async (organizationId: string) => {
  const hints = await writeRunEnd(organizationId);
  await enqueueDeliveries(hints);
  return hints;
};

export const measure = async (load: Load): Promise<Measured> => {
  const organizationId = randomUUID();
  const receiver = await startReceiver();
  await subscribe(organizationId, receiver);

  const ending: ReturnType<typeof endRun>[] = [];
  const beganMs = performance.now();
  for (let n = 0; n < load.seconds * load.runsPerSecond; n++) {
    await sleep(Math.max(0, beganMs + (n * 1_000) / load.runsPerSecond - performance.now()));
    ending.push(endRun(organizationId));
  }
  const due = (await Promise.all(ending)).flat();
  const untilMs = performance.now() + GRACE_MS;
  while (performance.now() < untilMs && due.some(({ deliveryId }) => !receiver.arrivals.has(deliveryId)))
    await sleep(LOOK_MS);
  await receiver.stop();
  const lateMs = due.flatMap(({ deliveryId, dueAt }) => {
    const at = receiver.arrivals.get(deliveryId);
    return at === undefined ? [] : [at - Date.parse(dueAt)];
  });
  return { lateMs, missing: due.length - lateMs.length };
};
