/** Scheduled runs, whose scopes begin at full minutes, while another connection has the same login and nothing fails. */
import { QUIET, type Theme } from './theme.ts';

const SHARED_LOGIN: Omit<Theme, 'name' | 'acts'> = {
  cast: ['bankone', ['transfers', 'movements', 'balances', 'nominas']],
  sharesLogin: true,
  faults: { ...QUIET, rate: 0, left: 0 },
  endpoints: 0,
};
/** Within a scope, between two scopes of a run, and over several of them. */
const ANY_TIME = [5_000, 20_000, 45_000, 58_000, 61_000, 75_000, 130_000];

export const LOGIN_THEMES: readonly Theme[] = [
  {
    ...SHARED_LOGIN,
    name: 'a person syncs another connection of the login',
    acts: [
      ['add', ANY_TIME],
      ['schedule', ANY_TIME],
      ['sync-other', ANY_TIME],
      ['sync-other', ANY_TIME],
      ['sync-other', ANY_TIME],
    ],
  },
  {
    ...SHARED_LOGIN,
    name: 'two connections of a login are synced by the schedule',
    acts: [
      ['add', ANY_TIME],
      ['schedule', ANY_TIME],
      ['schedule-other', ANY_TIME],
      ['sync', ANY_TIME],
      ['schedule-other', ANY_TIME],
    ],
  },
];
