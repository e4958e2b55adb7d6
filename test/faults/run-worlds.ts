/** Runs histories one after the other, in a process that was made virtual, without what the code prints. */
import type { Machine } from './machine/machine.ts';
import { clockMs, makeVirtual } from './machine/virtual-process.ts';
import { prepareEnvironment, type RunOptions, type Tally } from './run-histories.ts';

interface HistoryWorld {
  machine: Machine;
  violations: string[];
}

export interface HistoryKind<W extends HistoryWorld> {
  create(seed: number, isTold: boolean): W;
  live(world: W): Promise<void>;
  /** Adds what this kind counts. */
  count(world: W, tally: Tally): void;
}

/** @param load loads the kind, whose imports bind it to the virtual process */
export const runWorlds = async <W extends HistoryWorld>(
  seeds: Iterable<number>,
  { tell = false, untilBroken = false }: RunOptions,
  load: () => Promise<HistoryKind<W>>,
): Promise<Tally> => {
  makeVirtual();
  await prepareEnvironment();
  const { plantClock } = await import('#shared/platform/clock.ts');
  plantClock(clockMs);
  const { interceptClients } = await import('./machine/services.ts');
  const { create, live, count } = await load();
  interceptClients();

  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of streams) stream.write = (() => true) as typeof stream.write;
  const tally: Tally = { histories: 0, steps: 0, faults: 0, runs: {}, changes: {}, attempts: 0, broken: [] };
  try {
    for (const seed of seeds) {
      const world = create(seed, tell);
      try {
        await live(world);
      } catch (error) {
        world.violations.push((error as Error).stack ?? String(error));
      }
      const { machine, violations } = world;
      tally.histories++;
      tally.steps += machine.steps;
      for (const met of machine.faultsOf.values()) tally.faults += met;
      count(world, tally);
      if (violations.length > 0) tally.broken.push({ seed, violations, story: machine.story });
      if (untilBroken && violations.length > 0) break;
    }
  } finally {
    for (const { stream, write } of streams) stream.write = write;
  }
  return tally;
};
