/** Runs histories of lists of connections one after the other, in a process that was made virtual. */
import { clockMs, makeVirtual } from '../machine/virtual-process.ts';
import { prepareEnvironment, type RunOptions, type Tally } from '../run-histories.ts';

export const runListHistories = async (
  seeds: Iterable<number>,
  { tell = false, untilBroken = false }: RunOptions = {},
): Promise<Tally> => {
  makeVirtual();
  await prepareEnvironment();
  const { plantClock } = await import('#shared/platform/clock.ts');
  plantClock(clockMs);
  const { CONNECTION_LIMITS } = await import('#shared/connections/limits.ts');
  // A history has few connections, and must reach these limits.
  Object.assign(CONNECTION_LIMITS, { changedUntilSnapshot: 3, changedReadMax: 4 });
  const { interceptClients } = await import('../machine/services.ts');
  const { createListWorld, liveLists } = await import('./history.ts');
  interceptClients();

  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of streams) stream.write = (() => true) as typeof stream.write;
  const tally: Tally = { histories: 0, steps: 0, faults: 0, runs: {}, changes: {}, attempts: 0, broken: [] };
  try {
    for (const seed of seeds) {
      const world = createListWorld(seed, tell);
      try {
        await liveLists(world);
      } catch (error) {
        world.violations.push((error as Error).stack ?? String(error));
      }
      const { machine, ended, violations } = world;
      tally.histories++;
      tally.steps += machine.steps;
      for (const met of machine.faultsOf.values()) tally.faults += met;
      for (const [what, times] of Object.entries(ended)) tally.runs[what] = (tally.runs[what] ?? 0) + times;
      if (violations.length > 0) tally.broken.push({ seed, violations, story: machine.story });
      if (untilBroken && violations.length > 0) break;
    }
  } finally {
    for (const { stream, write } of streams) stream.write = write;
  }
  return tally;
};
