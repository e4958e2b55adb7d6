/** Faults where an institution allows few calls per login, so that work is handed over until its next window. */
import { AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const TWO_SCOPES: Cast = ['bankone', ['movements', 'balances']];
/** A sync of two scopes needs more than one window. */
export const PACE = { callDelayMs: 1_000, callsMax: 10, windowMs: 200_000 };
const pace = Object.values(PACE).join(',');

export const PACE_THEMES: readonly Theme[] = [
  {
    name: 'workers of a paced login die',
    cast: TWO_SCOPES,
    pace,
    faults: { ...QUIET, left: 6, aims: [aim(/^(read|list|login|logout)/, 0.15, DEATHS)] },
    endpoints: 0,
    acts: [
      ['sync', LATER],
      ['sync', SOON],
    ],
  },
  {
    name: 'workers of a paced login stand still',
    cast: TWO_SCOPES,
    pace,
    faults: { ...QUIET, left: 6, aims: [aim(/^(read|list|BatchWrite ROW|TransactWrite)/, 0.15, ['freeze', 'stall'])] },
    endpoints: 0,
    acts: [
      ['sync', LATER],
      ['sync', LATER],
    ],
  },
  {
    name: 'a paced worker stands still between two calls',
    cast: TWO_SCOPES,
    pace,
    faults: { ...QUIET, left: 3, aims: [aim(/^(PutObject|Update WORK)/, 0.3, ['freeze'])] },
    endpoints: 0,
    acts: [
      ['sync', SOON],
      ['sync', SOON],
      ['sync', LATER],
    ],
  },
  {
    name: 'a rest is cancelled, lost and doubled',
    cast: TWO_SCOPES,
    pace,
    faults: {
      ...QUIET,
      lost: 0.2,
      doubled: 0.3,
      left: 8,
      aims: [aim(/SLOT#|^send/, 0.2, [...DEATHS, 'fail-after', 'freeze'])],
    },
    endpoints: 0,
    acts: [
      ['sync', LATER],
      ['cancel', SOON],
      ['sync', AT_ONCE],
      ['sync', LATER],
    ],
  },
];
