/** Runs that end, endpoints that are told, and when each attempt arrives. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { nowIso } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import * as table from '#shared/table/table.ts';
import { announceRun } from '#shared/webhooks/announce.ts';
import type { Delivery } from '#shared/webhooks/delivery.rules.ts';
import * as deliveries from '#shared/webhooks/delivery.store.ts';
import { enqueueDeliveries } from '#shared/webhooks/enqueue-delivery.ts';
import type { Units, Workers } from './webhook-fairness-thread.ts';
import { startReceiver, subscribe } from './webhook-receivers.ts';

/** How long after the last one the others may still arrive: far beyond the limit that is judged. */
const GRACE_MS = 30_000;
const LOOK_MS = 100;

export interface Load {
  endpoints: number;
  seconds: number;
  /** Each makes a delivery to every endpoint. */
  runsPerSecond: number;
  isOneHanging: boolean;
}

export interface Measured {
  /** Arrival less due time of every delivery that arrived where answers are given. */
  lateMs: number[];
  missing: number;
  hanging: { due: number; attempts: number; most: number; asked: number } | undefined;
  units: Units;
  /** Of this process: worker, queue, runs and receivers, not the table. */
  cpuMs: number;
  /** Deliveries due in all. */
  ended: number;
}

/** As the engine does when a run ends; its messages are not sent yet. */
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

/** How often those without an attempt were put off: every write raises the generation, and a new delivery has 1. */
const asksOf = (waiting: readonly Delivery[]): number =>
  waiting.filter(({ attempts }) => attempts === 0).reduce((sum, { generation }) => sum + generation - 1, 0);

export const measure = async (workers: Workers, load: Load): Promise<Measured> => {
  const organizationId = randomUUID();
  const receivers = await Promise.all(
    Array.from({ length: load.endpoints }, (_, n) => startReceiver(load.isOneHanging && n === 0)),
  );
  const endpointIds = await Promise.all(receivers.map((receiver) => subscribe(organizationId, receiver)));
  const receiverOf = new Map(endpointIds.map((id, n) => [id, receivers[n]!]));
  const hanging = load.isOneHanging ? receivers[0] : undefined;
  const before = await workers.units();
  const cpu = process.cpuUsage();

  const ending: ReturnType<typeof endRun>[] = [];
  const beganMs = performance.now();
  for (let n = 0; n < load.seconds * load.runsPerSecond; n++) {
    await sleep(Math.max(0, beganMs + (n * 1_000) / load.runsPerSecond - performance.now()));
    ending.push(endRun(organizationId));
  }
  const due = (await Promise.all(ending)).flat();
  const answered = due.filter(({ endpointId }) => receiverOf.get(endpointId) !== hanging);
  const arrivalOf = ({ endpointId, deliveryId }: (typeof due)[number]) =>
    receiverOf.get(endpointId)!.arrivals.get(deliveryId);
  const untilMs = performance.now() + GRACE_MS;
  while (performance.now() < untilMs && answered.some((each) => arrivalOf(each) === undefined)) await sleep(LOOK_MS);

  const after = await workers.units();
  const { user, system } = process.cpuUsage(cpu);
  const asked = hanging ? asksOf(await deliveries.listNewest(organizationId, endpointIds[0]!)) : 0;
  await Promise.all(receivers.map((receiver) => receiver.stop()));
  const arrived = answered.flatMap((each) => {
    const at = arrivalOf(each);
    return at === undefined ? [] : [at - Date.parse(each.dueAt)];
  });
  return {
    lateMs: arrived,
    missing: answered.length - arrived.length,
    hanging: hanging && {
      due: due.length - answered.length,
      attempts: hanging.arrivals.size,
      most: hanging.most(),
      asked,
    },
    units: { read: after.read - before.read, write: after.write - before.write },
    cpuMs: (user + system) / 1_000,
    ended: due.length,
  };
};
