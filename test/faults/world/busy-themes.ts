/** Services of AWS that refuse calls as too many, and nothing else that goes wrong. */
import { AT_ONCE, aim, LATER, QUIET, SOON, type Theme } from './theme.ts';

const ANY = /./;
const ONLY_BUSY = { ...QUIET, rate: 0 };
/** Short enough for the due entry of a task: the sweeper does not take it before the worker hands it over. */
const WITHIN_A_LEASE = [5_000, 40_000, 52_000];

export const BUSY_THEMES: readonly Theme[] = [
  {
    name: 'calls are refused one by one, and batches in part',
    faults: { ...ONLY_BUSY, left: 200, aims: [aim(ANY, 0.25, ['throttle', 'unprocessed', 'conflict'])] },
    endpoints: 1,
    acts: [
      ['add', AT_ONCE],
      ['sync', SOON],
      ['change', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'a service is busy until the margin of a lease',
    faults: { ...ONLY_BUSY, left: 2, outagesMs: WITHIN_A_LEASE, aims: [aim(ANY, 0.02, ['outage'])] },
    endpoints: 1,
    acts: [
      ['sync', LATER],
      ['change', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'a table is busy while rows are written',
    faults: { ...ONLY_BUSY, left: 1, outagesMs: [52_000], aims: [aim(/^BatchWrite ROW/, 0.4, ['outage'])] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['sync', LATER],
    ],
  },
  {
    name: 'a service is busy for minutes',
    faults: { ...ONLY_BUSY, left: 3, aims: [aim(ANY, 0.02, ['outage'])] },
    endpoints: 1,
    acts: [
      ['sync', SOON],
      ['burst', LATER],
      ['sync', LATER],
    ],
  },
  {
    name: 'webhooks meet a busy table',
    faults: {
      ...ONLY_BUSY,
      receiver: 0.3,
      doubled: 0.3,
      left: 4,
      outagesMs: [5_000, 27_000, 40_000],
      aims: [aim(/^(Update|TransactWrite) (SLOTS|DELIVERY#|HOOK#)/, 0.3, ['outage', 'throttle'])],
    },
    endpoints: 2,
    acts: [
      ['burst', SOON],
      ['burst', LATER],
      ['sync', LATER],
    ],
  },
];
