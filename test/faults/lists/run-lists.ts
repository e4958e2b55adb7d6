/** Runs histories of lists of connections. */
import type { RunOptions, Tally } from '../run-histories.ts';
import { runWorlds } from '../run-worlds.ts';

export const runListHistories = (seeds: Iterable<number>, options: RunOptions = {}): Promise<Tally> =>
  runWorlds(seeds, options, async () => {
    const { CONNECTION_LIMITS } = await import('#shared/connections/limits.ts');
    // A history has few connections, and must reach these limits.
    Object.assign(CONNECTION_LIMITS, { changedUntilSnapshot: 3, changedReadMax: 4 });
    const { createListWorld, liveLists } = await import('./history.ts');
    return {
      create: createListWorld,
      live: liveLists,
      count: ({ ended }, { runs }) => {
        for (const [what, times] of Object.entries(ended)) runs[what] = (runs[what] ?? 0) + times;
      },
    };
  });
