/** Runs that end, ten endpoints that are told, and when each attempt arrives. */

import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import * as deliveries from '#shared/data/deliveries.ts';
import { announceRun } from '#shared/data/events.ts';
import * as table from '#shared/data/table.ts';
import * as webhooks from '#shared/data/webhooks.ts';
import type { Delivery, EventType } from '#shared/domain/delivery.ts';
import { newEndpoint } from '#shared/domain/webhook-endpoint.ts';
import { newSecret } from '#shared/messaging/signing.ts';
import { hintDeliveries } from '#shared/messaging/webhook-hints.ts';
import { nowIso } from '#shared/platform/clock.ts';
import { encryptSecret } from '#shared/platform/crypto.ts';
import { newId } from '#shared/platform/ids.ts';
import type { Units, Workers } from './webhook-fairness-thread.ts';

const ENDPOINTS = 10;
/** How long after the last one the others may still arrive: far beyond the limit that is judged. */
const GRACE_MS = 30_000;
const LOOK_MS = 100;

export interface Load {
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

interface Receiver {
  url: string;
  /** First arrivals, epoch ms, by delivery. */
  arrivals: Map<string, number>;
  /** Most requests open at the same time. */
  most(): number;
  stop(): Promise<void>;
}

const startReceiver = async (hangs: boolean): Promise<Receiver> => {
  const arrivals = new Map<string, number>();
  const sockets = new Set<Socket>();
  let most = 0;
  const server = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    if (!arrivals.has(id)) arrivals.set(id, Date.now());
    if (!hangs) response.writeHead(204).end();
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    most = Math.max(most, sockets.size);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    arrivals,
    most: () => most,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};

const subscribe = async (organizationId: string, url: string): Promise<string> => {
  const id = newId();
  const secret = await encryptSecret(organizationId, webhooks.secretResource(id), newSecret());
  const eventTypes: EventType[] = ['sync.succeeded'];
  await webhooks.create(newEndpoint({ organizationId, id, url, eventTypes, createdAt: nowIso() }), secret);
  return id;
};

/** As the engine does when a run ends. */
const endRun = async (organizationId: string) => {
  const named = { organizationId, connectionId: randomUUID(), runId: newId() };
  const run = { ...named, type: 'sync.succeeded' as const, at: nowIso(), data: { syncRunId: named.runId } };
  const { items, deliveries: hints } = await announceRun(run);
  await table.transact(items);
  await hintDeliveries(hints);
  return hints;
};

/** How often those without an attempt were put off: every write raises the hop, and a new delivery has 1. */
const asksOf = (waiting: readonly Delivery[]): number =>
  waiting.filter(({ attempts }) => attempts === 0).reduce((sum, { hop }) => sum + hop - 1, 0);

export const measure = async (workers: Workers, load: Load): Promise<Measured> => {
  const keyFile = process.env.ENCRYPTION_KEY_FILE ?? '';
  if (!existsSync(keyFile)) writeFileSync(keyFile, randomBytes(32).toString('base64'), { mode: 0o600 });
  const organizationId = randomUUID();
  const receivers = await Promise.all(
    Array.from({ length: ENDPOINTS }, (_, n) => startReceiver(load.isOneHanging && n === 0)),
  );
  const endpointIds = await Promise.all(receivers.map(({ url }) => subscribe(organizationId, url)));
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
