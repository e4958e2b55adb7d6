/** Scheduled runs, whose scopes begin at full minutes, while another connection has the same login. */
import { AT_ONCE, type Cast, QUIET, type Theme } from './theme.ts';

const FOUR_SCOPES: Cast = ['bankone', ['transfers', 'movements', 'balances', 'nominas']];
const FAULTLESS: Theme['faults'] = { ...QUIET, rate: 0, left: 0 };
/** From the beginning of a history to shortly before the next full minute. */
const BEFORE_THE_MINUTE = [56_000, 58_000, 59_500];

export const LOGIN_THEMES: readonly Theme[] = [
  {
    // The sweeper finds no scope that waits before two syncs of the other connection came between the scopes.
    name: 'a person syncs another connection of the login',
    cast: FOUR_SCOPES,
    sharesLogin: true,
    faults: FAULTLESS,
    endpoints: 0,
    acts: [
      ['add', BEFORE_THE_MINUTE],
      ['schedule', [20_000, 30_000]],
      ['sync-other', [60_000]],
      ['sync-other', [60_000]],
      ['sync-other', AT_ONCE],
    ],
  },
];
