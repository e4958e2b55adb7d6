/** Scheduled runs, whose scopes begin at full minutes, while another connection has the same login. */
import { type Cast, QUIET, type Theme } from './theme.ts';

const FOUR_SCOPES: Cast = ['bankone', ['transfers', 'movements', 'balances', 'nominas']];
const FAULTLESS: Theme['faults'] = { ...QUIET, rate: 0, left: 0 };
/** Within a scope, between two scopes of a run, and over several of them. */
const ANY_TIME = [5_000, 20_000, 45_000, 58_000, 61_000, 75_000, 130_000];

export const LOGIN_THEMES: readonly Theme[] = [
  {
    name: 'a person syncs another connection of the login',
    cast: FOUR_SCOPES,
    sharesLogin: true,
    faults: FAULTLESS,
    endpoints: 0,
    acts: [
      ['add', ANY_TIME],
      ['schedule', ANY_TIME],
      ['sync-other', ANY_TIME],
      ['sync-other', ANY_TIME],
      ['sync-other', ANY_TIME],
    ],
  },
  {
    name: 'two connections of a login are synced by the schedule',
    cast: FOUR_SCOPES,
    sharesLogin: true,
    faults: FAULTLESS,
    endpoints: 0,
    acts: [
      ['add', ANY_TIME],
      ['schedule', ANY_TIME],
      ['schedule-other', ANY_TIME],
      ['sync', ANY_TIME],
      ['schedule-other', ANY_TIME],
    ],
  },
];
