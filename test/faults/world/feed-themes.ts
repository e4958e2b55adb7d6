/** Steered histories whose rows are removed, put late and announced late, while somebody reads the changes. */
import { AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const MOVEMENTS: Cast = ['bankone', ['movements']];
const RCV: Cast = ['tax', ['rcv']];
const PUTS = /^BatchWrite ROW/;

export const FEED_THEMES: readonly Theme[] = [
  {
    name: 'a month closes while workers die',
    cast: MOVEMENTS,
    isRead: true,
    faults: { ...QUIET, left: 6, aims: [aim(/GONE#/, 0.5, [...DEATHS, 'freeze', 'stall']), aim(PUTS, 0.2, DEATHS)] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', [100_000]],
      ['close', AT_ONCE],
      ['close', AT_ONCE],
      ['sync', [2_000, 30_000]],
      ['correct', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'a closed statement is corrected while a worker stands still',
    cast: MOVEMENTS,
    isRead: true,
    faults: { ...QUIET, left: 2, aims: [aim(PUTS, 0.6, ['freeze'])] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', [300_000]],
      ['close', AT_ONCE],
      ['close', AT_ONCE],
      ['sync', [2_000]],
      ['correct', AT_ONCE],
      ['correct', AT_ONCE],
      ['sync', [400_000]],
      ['correct', AT_ONCE],
      ['sync', SOON],
    ],
  },
  {
    name: 'rows that are announced late',
    cast: RCV,
    isRead: true,
    faults: { ...QUIET, left: 4, aims: [aim(PUTS, 0.4, [...DEATHS, 'freeze']), aim(/PERIOD#/, 0.1, DEATHS)] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['sync', [2_000, 30_000]],
      ['change', AT_ONCE],
      ['sync', [100_000, 400_000]],
      ['change', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', [400_000]],
      ['change', AT_ONCE],
      ['sync', SOON],
    ],
  },
];
