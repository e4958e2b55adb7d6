/** Acts on tenders that several connections of an organization read, and faults meanwhile. */
import { type Act, AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const TENDERS: Cast = ['procurement', ['licitaciones']];

export const TENDER_THEMES: readonly Theme[] = [
  {
    name: 'two connections read the same tenders',
    cast: TENDERS,
    hasTwoLogins: true,
    faults: {
      ...QUIET,
      left: 12,
      aims: [aim(/LISTED/, 0.3, [...DEATHS, 'fail-before', 'fail-after', 'conflict', 'stall', 'freeze'])],
    },
    endpoints: 0,
    acts: [
      ['sync', SOON],
      ['change', AT_ONCE],
      ['sync', SOON],
      ['cancel', SOON],
    ],
  },
  {
    name: 'a run is cancelled whose worker died among its tenders',
    cast: TENDERS,
    hasTwoLogins: true,
    faults: { ...QUIET, left: 2, aims: [aim(/LISTED/, 0.4, DEATHS)] },
    endpoints: 0,
    acts: [
      ['sync', [600, 2_000]],
      ['cancel', AT_ONCE],
      ['cancel', AT_ONCE],
    ],
  },
  {
    name: 'a reading of a tender overtaken by another',
    cast: TENDERS,
    hasTwoLogins: true,
    faults: { ...QUIET, left: 3, aims: [aim(/^Get LISTED/, 0.3, ['stall'])] },
    endpoints: 0,
    acts: [['sync', LATER]],
  },
  {
    name: 'a connection is deleted while another reads its tenders',
    cast: TENDERS,
    hasTwoLogins: true,
    faults: { ...QUIET, left: 6, aims: [aim(/LISTED|PURGE#/, 0.15, [...DEATHS, 'fail-after', 'freeze'])] },
    endpoints: 0,
    acts: [
      ['sync', LATER],
      ['change', AT_ONCE],
      ['sync', [25_000]],
      ...Array.from({ length: 4 }, (): [Act, readonly number[]] => ['remove', [25_000]]),
      ['sync', SOON],
    ],
  },
  {
    // The rows that a worker wrote are served, but nobody reads the tender again: only the sweeper lists and announces
    // it.
    name: 'a run is cancelled whose worker died after it put rows of a tender',
    cast: TENDERS,
    hasTwoLogins: true,
    faults: { ...QUIET, rate: 0, left: 0, aims: [aim(/^BatchWrite MP/, 0.5, ['die-after'])] },
    troubles: 1,
    endpoints: 0,
    acts: [
      ['sync', [60_000]],
      ['change', AT_ONCE],
      ['change', AT_ONCE],
      ['change', AT_ONCE],
      ['trouble', AT_ONCE],
      ['sync', [2_000]],
      ['cancel-newest', AT_ONCE],
    ],
  },
];
