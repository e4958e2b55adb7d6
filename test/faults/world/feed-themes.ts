/** Steered histories whose rows are removed, written late and announced late, while a client reads the changes. */
import { PERIODS } from './ledger.ts';
import { type Act, AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const MOVEMENTS: Cast = ['bankone', ['movements']];
const RCV: Cast = ['tax', ['rcv']];
const TENDERS: Cast = ['procurement', ['licitaciones']];

/** Repeats an act this many times without a pause. */
const times = (count: number, act: Act): Theme['acts'] => Array.from({ length: count }, () => [act, AT_ONCE]);

const PUTS = /^BatchWrite ROW/;

export const FEED_THEMES: readonly Theme[] = [
  {
    name: 'a month closes while workers die',
    cast: MOVEMENTS,
    reads: 0.5,
    faults: { ...QUIET, left: 6, aims: [aim(/GONE#/, 0.5, [...DEATHS, 'freeze', 'stall']), aim(PUTS, 0.2, DEATHS)] },
    endpoints: 0,
    acts: [
      ...times(5, 'add'),
      ['sync', [100_000]],
      ...times(4, 'close'),
      ['sync', [2_000, 30_000]],
      ['correct', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'a worker dies when it has removed rows',
    cast: MOVEMENTS,
    reads: 0.5,
    troubles: 1,
    faults: { ...QUIET, rate: 0, left: 0, aims: [aim(/GONE#/, 1, ['die-after'])] },
    endpoints: 0,
    acts: [...times(5, 'add'), ['sync', [60_000]], ...times(4, 'close'), ['trouble', AT_ONCE], ['sync', [200_000]]],
  },
  {
    // A worker freezes before it writes a tender; what it read is older than what another run has written meanwhile.
    name: 'a late row of a tender',
    cast: TENDERS,
    reads: 0.5,
    troubles: 1,
    faults: { ...QUIET, rate: 0, left: 0, aims: [aim(/^BatchWrite MP/, 1, ['freeze'])] },
    endpoints: 0,
    acts: [
      ['sync', [60_000]],
      ['revise', AT_ONCE],
      ['trouble', AT_ONCE],
      ['sync', [2_000]],
      ['revise', AT_ONCE],
      ['sync', [400_000]],
    ],
  },
  {
    name: 'a removal that stands still',
    cast: MOVEMENTS,
    reads: 0.5,
    faults: { ...QUIET, left: 2, aims: [aim(/GONE#/, 0.8, ['freeze', 'stall'])] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', [30_000]],
      ['close', AT_ONCE],
      ['close', AT_ONCE],
      ['close', AT_ONCE],
      ['sync', [2_000]],
      ['sync', [400_000]],
    ],
  },
  {
    name: 'a closed statement is corrected while a worker stands still',
    cast: MOVEMENTS,
    reads: 0.5,
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
    // A worker dies among the rows of the first month, which stay unannounced while the second one is stored. They are
    // announced then, and again a quarter of an hour later; then the month is stored once more.
    name: 'a month is stored while another one is dirty',
    cast: RCV,
    reads: 1,
    readsAfter: PERIODS[1],
    faults: { ...QUIET, rate: 0, left: 1, aims: [aim(/^BatchWrite ROWS/, 0.7, ['die-after'])] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync-first', [2_000]],
      ['cancel-newest', AT_ONCE],
      ['sync-second', [1_500_000]],
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync-first', [100_000]],
    ],
  },
  {
    // A worker freezes before it writes the rows of the second month; another worker moves a document from there to the
    // first month. A client that then reads both months receives the right row, and after it the late one.
    name: 'a late row is seen after the one that is right',
    cast: RCV,
    reads: 0,
    troubles: 2,
    faults: {
      ...QUIET,
      rate: 0,
      left: 0,
      aims: [aim(/^BatchWrite ROWS/, 0.7, ['freeze']), aim(/PERIOD#.*#[0-9a-f]{8}-/, 0.4, ['die-after'])],
    },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', [60_000]],
      ['read', AT_ONCE],
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['trouble', AT_ONCE],
      ['sync-second', [2_000]],
      ['swap', AT_ONCE],
      ['sync', [300_000]],
      ['read', AT_ONCE],
    ],
  },
  {
    name: 'rows that are announced late',
    cast: RCV,
    reads: 0.5,
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

/** Eight scopes of two connections are announced within milliseconds, while a client reads after each store. */
export const ORGANIZATION_THEMES: readonly Theme[] = [
  {
    name: 'many scopes are announced at the same time',
    cast: ['bankone', ['transfers', 'movements', 'balances', 'nominas']],
    hasTwoLogins: true,
    reads: 1,
    faults: { ...QUIET, left: 2 },
    endpoints: 0,
    acts: [...times(3, 'add'), ['sync', LATER], ...times(3, 'change'), ['add', AT_ONCE], ['sync', LATER]],
  },
];
