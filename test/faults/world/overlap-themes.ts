/** Steered histories in which two runs read the same month, and the older one ends last. */
import { AT_ONCE, type Cast, QUIET, type Theme } from './theme.ts';

const RCV: Cast = ['tax', ['rcv']];

export const OVERLAP_THEMES: readonly Theme[] = [
  {
    name: 'two runs read a month, and the older one ends last',
    cast: RCV,
    // An institution that asks for time makes a run wait between two months, and another run has the scope meanwhile.
    faults: { ...QUIET, source: 0.4, left: 8, aims: [] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['sync', [300, 600, 2_000]],
      ['hide', AT_ONCE],
      ['sync', [300, 600, 2_000]],
      ['revise', AT_ONCE],
      ['sync', [300, 600, 2_000]],
      ['add', AT_ONCE],
    ],
  },
];
