/** The sweeper behind items that it cannot handle, and with queues that are only slow. */
import { AT_ONCE, LATER, QUIET, type Theme } from './theme.ts';

const NO_FAULTS = { ...QUIET, rate: 0, left: 0, source: 0 };

export const SWEEP_THEMES: readonly Theme[] = [
  {
    name: 'a queue that is only slow',
    cast: ['tax', ['rcv', 'boletas']],
    faults: { ...NO_FAULTS, late: 0.8 },
    hasSlowQueues: true,
    endpoints: 0,
    acts: [
      ['sync', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'a lost run behind items of a newer version',
    cast: ['tax', ['rcv']],
    faults: NO_FAULTS,
    stuckItems: 120,
    losesFirstRun: true,
    endpoints: 0,
    acts: [['sync', LATER]],
  },
];
