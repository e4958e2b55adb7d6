/** Runs histories of grants one after the other, in a process that was made virtual. */
import { clockMs, makeVirtual } from '../machine/virtual-process.ts';
import { prepareEnvironment, type RunOptions, type Tally } from '../run-histories.ts';

export const runGrantHistories = async (
  seeds: Iterable<number>,
  { tell = false, untilBroken = false }: RunOptions = {},
): Promise<Tally> => {
  makeVirtual();
  await prepareEnvironment();
  Object.assign(process.env, { PUBLIC_ORIGIN: 'https://data.example', POWERTOOLS_METRICS_DISABLED: 'true' });
  const { plantClock } = await import('#shared/platform/clock.ts');
  plantClock(clockMs);
  const { interceptClients } = await import('../machine/services.ts');
  const { createGrantWorld, liveGrants } = await import('./history.ts');
  interceptClients();

  const streams = [process.stdout, process.stderr].map((stream) => ({ stream, write: stream.write }));
  for (const { stream } of streams) stream.write = (() => true) as typeof stream.write;
  const tally: Tally = { histories: 0, steps: 0, faults: 0, runs: {}, changes: {}, attempts: 0, broken: [] };
  try {
    for (const seed of seeds) {
      const world = createGrantWorld(seed, tell);
      try {
        await liveGrants(world);
      } catch (error) {
        world.violations.push((error as Error).stack ?? String(error));
      }
      const { machine, acts, violations, watch } = world;
      tally.histories++;
      tally.steps += machine.steps;
      for (const count of machine.faultsOf.values()) tally.faults += count;
      for (const { kind, outcome } of acts) {
        const name = `${kind} ${outcome?.kind ?? 'died'}`;
        tally.runs[name] = (tally.runs[name] ?? 0) + 1;
      }
      tally.attempts += watch.lines.filter(({ facts }) => facts.revoked !== undefined).length;
      if (violations.length > 0) tally.broken.push({ seed, violations, story: machine.story });
      if (untilBroken && violations.length > 0) break;
    }
  } finally {
    for (const { stream, write } of streams) stream.write = write;
  }
  return tally;
};
