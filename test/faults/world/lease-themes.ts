/** Faults while a worker waits for its institution for a minute or more and renews its lease meanwhile. */
import { AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const RCV: Cast = ['tax', ['rcv']];
const TWO_SCOPES: Cast = ['tax', ['rcv', 'boletas']];
const SLOW = aim(/^(list|read)/, 0.5, ['stall']);

export const LEASE_THEMES: readonly Theme[] = [
  {
    name: 'workers die among their renewals',
    cast: RCV,
    // Every third renewal moves the due entry. A worker that dies before that leaves an entry that is too early.
    faults: {
      ...QUIET,
      left: 4,
      aims: [SLOW, aim(/^Update WORK/, 0.5, DEATHS), aim(/^Update (LEASE|SLOT)/, 0.2, DEATHS)],
    },
    endpoints: 0,
    acts: [
      // Time until the sweeper's next minute.
      ['add', [0, 25_000, 35_000]],
      ['sync', LATER],
    ],
  },
  {
    name: 'renewals come late and twice',
    cast: TWO_SCOPES,
    faults: {
      ...QUIET,
      left: 12,
      aims: [SLOW, aim(/^Update (LEASE|SLOT|WORK)/, 0.3, ['stall', 'freeze', 'twice', 'fail-after', 'conflict'])],
    },
    endpoints: 0,
    acts: [
      ['sync', SOON],
      ['sync', LATER],
    ],
  },
  {
    name: 'a worker that waits is cancelled',
    cast: RCV,
    faults: { ...QUIET, left: 4, aims: [aim(/^(list|read)/, 0.8, ['stall'])] },
    endpoints: 0,
    acts: [
      ['sync', [2_000, 5_000, 20_000]],
      ['cancel', [60_000, 200_000]],
      ['sync', AT_ONCE],
    ],
  },
  {
    name: 'answers are kept, and their worker dies',
    cast: TWO_SCOPES,
    faults: {
      ...QUIET,
      left: 10,
      aims: [aim(/^(PutObject|GetObject|read)/, 0.2, [...DEATHS, 'fail-before', 'fail-after', 'twice', 'freeze'])],
    },
    endpoints: 0,
    acts: [
      ['sync', SOON],
      ['revise', AT_ONCE],
      ['sync', LATER],
    ],
  },
];
