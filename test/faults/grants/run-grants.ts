/** Runs histories of grants. */
import type { RunOptions, Tally } from '../run-histories.ts';
import { runWorlds } from '../run-worlds.ts';

export const runGrantHistories = (seeds: Iterable<number>, options: RunOptions = {}): Promise<Tally> =>
  runWorlds(seeds, options, async () => {
    const { createGrantWorld, liveGrants } = await import('./history.ts');
    return {
      create: createGrantWorld,
      live: liveGrants,
      count: ({ acts, watch }, tally) => {
        for (const { kind, outcome } of acts) {
          const name = `${kind} ${outcome?.kind ?? 'died'}`;
          tally.runs[name] = (tally.runs[name] ?? 0) + 1;
        }
        tally.attempts += watch.lines.filter(({ facts }) => facts.revoked !== undefined).length;
      },
    };
  });
