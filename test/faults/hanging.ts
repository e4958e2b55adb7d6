/**
 * Many events at once to a receiver that never answers, in virtual time and over the real handlers. Prints its attempts
 * as JSON; test/integration/faults/hanging.test.ts judges them.
 */
import { Client } from 'undici';
import { randomFrom } from '#test/helpers/random.ts';
import { CALM } from './machine/faults.ts';
import { makeVirtual, virtual } from './machine/virtual-process.ts';
import { prepareEnvironment } from './run-histories.ts';

export interface Attempted {
  delivery: string;
  /** Since the events were announced. */
  afterMs: number;
}

const EVENTS = 24;
const MINUTE_MS = 60_000;
/** The second attempts are over, and the third not begun. */
const UNTIL_MS = 50 * MINUTE_MS;

makeVirtual();
await prepareEnvironment();
const { plantClock } = await import('#shared/platform/clock.ts');
plantClock(() => virtual.nowMs);
const { Machine } = await import('./machine/machine.ts');
const { Queues } = await import('./machine/queues.ts');
const { interceptClients, useServices } = await import('./machine/services.ts');
const { SimulatedTable } = await import('./table/simulated-table.ts');
const { handlersOf, sweep, TIMEOUT_MS } = await import('./world/workers.ts');
const { subscribe } = await import('./world/history.ts');
const { announceRun } = await import('#shared/data/events.ts');
const table = await import('#shared/data/table.ts');
const { hintDeliveries } = await import('#shared/messaging/webhook-hints.ts');
const { nowIso } = await import('#shared/platform/clock.ts');
const { newId } = await import('#shared/platform/ids.ts');
const { MANIFESTS } = await import('#shared/sources/manifests.gen.ts');
interceptClients();

virtual.nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const ids = randomFrom(1);
virtual.random = () => ids.int(0, 0xffff_ffff) / 2 ** 32;
const startedMs = virtual.nowMs;
const attempts: Attempted[] = [];

interface Asked {
  headers: Record<string, string>;
  signal: AbortSignal;
}

/** Takes the request and says nothing. */
const hang = ({ headers, signal }: Asked): Promise<never> => {
  attempts.push({ delivery: headers['webhook-id']!, afterMs: virtual.nowMs - startedMs });
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
};
Object.assign(Client.prototype, { request: hang, destroy: async () => {} });

const write = process.stdout.write.bind(process.stdout);
for (const stream of [process.stdout, process.stderr]) stream.write = (() => true) as typeof stream.write;
const machine = new Machine(randomFrom(2), { ...CALM });
const adapter = { manifest: MANIFESTS[0]! };
const queues = new Queues(machine, handlersOf(machine, { adapter } as never));
useServices({ machine, table: new SimulatedTable(), queues, objects: new Map(), schedules: new Map() });
const organizationId = newId();
await subscribe({ organizationId, endpoints: [] });
const minute = (): void => {
  void machine.invoke('sweep', TIMEOUT_MS.sweep!, sweep);
  machine.at(virtual.nowMs + MINUTE_MS, minute);
};
machine.at(virtual.nowMs + MINUTE_MS, minute);
for (let n = 0; n < EVENTS; n++) {
  const run = { organizationId, connectionId: newId(), runId: newId(), type: 'sync.succeeded', at: nowIso() } as const;
  const { items, deliveries } = await announceRun({ ...run, data: { status: 'succeeded' } });
  await table.transact(items);
  await hintDeliveries(deliveries);
}
while (virtual.nowMs - startedMs < UNTIL_MS && (await machine.step(startedMs + UNTIL_MS)));
write(`${JSON.stringify(attempts)}\n`, () => process.exit(0));
