/**
 * A world in virtual time in which only the scripted faults happen, over the real handlers and with a sweep each
 * minute.
 */
import type { SourceAdapter } from '#shared/sources/source.ts';
import { randomFrom } from '#test/helpers/random.ts';
import { CALM } from './machine/faults.ts';
import type { Machine } from './machine/machine.ts';
import type { Queues } from './machine/queues.ts';
import { makeVirtual, virtual } from './machine/virtual-process.ts';
import { prepareEnvironment } from './run-histories.ts';
import type { SimulatedTable } from './table/simulated-table.ts';

export interface StoryWorld {
  machine: Machine;
  queues: Queues;
  table: SimulatedTable;
  objects: ReadonlyMap<string, Uint8Array>;
}

const MINUTE_MS = 60_000;

makeVirtual();
await prepareEnvironment();
const { plantClock } = await import('#shared/platform/clock.ts');
plantClock(() => virtual.nowMs);
const machines = await import('./machine/machine.ts');
const queuing = await import('./machine/queues.ts');
const { interceptClients, useServices } = await import('./machine/services.ts');
const tables = await import('./table/simulated-table.ts');
const { handlersOf, sweep } = await import('./world/workers.ts');
const { TIMEOUT_MS } = await import('./world/timeouts.ts');
interceptClients();

/** @param startsAt ISO 8601 */
export const startStory = (
  adapter: SourceAdapter,
  startsAt: string,
  onInvoked = (_queue: string, _tookMs: Promise<number>) => {},
): StoryWorld => {
  virtual.nowMs = Date.parse(startsAt);
  virtual.timers.clear();
  const ids = randomFrom(1);
  virtual.random = () => ids.int(0, 0xffff_ffff) / 2 ** 32;
  const machine = new machines.Machine(randomFrom(2), { ...CALM });
  const table = new tables.SimulatedTable();
  const handlers = handlersOf(machine, { adapter } as never);
  const queues = new queuing.Queues(machine, (queue) => {
    const handle = handlers(queue);
    return (messages) => {
      const beganMs = virtual.nowMs;
      const handled = handle(messages);
      onInvoked(
        queue,
        handled.then(() => virtual.nowMs - beganMs),
      );
      return handled;
    };
  });
  const objects = new Map<string, Uint8Array>();
  // A story measures what the engine itself waits.
  queues.windowsMs = [0];
  useServices({ machine, table, queues, objects, schedules: new Map() });
  const minute = (): void => {
    // In most minutes a sweep would find nothing.
    const now = new Date(virtual.nowMs).toISOString();
    if (table.dueItems().some(({ due_sk }) => String(due_sk).slice(0, now.length) <= now))
      void machine.invoke('sweep', TIMEOUT_MS.sweep!, sweep);
    machine.at(virtual.nowMs + MINUTE_MS, minute);
  };
  machine.at(virtual.nowMs + MINUTE_MS, minute);
  return { machine, queues, table, objects };
};

/** Silences the logs of the handlers; only the figures are printed. */
export const quietly = (): ((figures: unknown) => void) => {
  const write = process.stdout.write.bind(process.stdout);
  for (const stream of [process.stdout, process.stderr]) stream.write = (() => true) as typeof stream.write;
  return (figures) => {
    const text = typeof figures === 'string' ? figures : JSON.stringify(figures);
    write(`${text}\n`, () => process.exit(0));
  };
};
