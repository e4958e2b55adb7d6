/** Steered histories in which the source stops showing rows while workers die: totals must follow the stored rows. */
import { AT_ONCE, aim, type Cast, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const TAX: Cast = ['tax', ['rcv', 'boletas']];

export const TOTALS_THEMES: readonly Theme[] = [
  {
    name: 'rows that the source shows no more',
    cast: TAX,
    faults: { ...QUIET, left: 3 },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', [100_000]],
      ['hide', AT_ONCE],
      ['sync', LATER],
      ['hide', AT_ONCE],
      ['change', AT_ONCE],
      ['sync', SOON],
    ],
  },
  {
    name: 'a scope ends while workers die',
    cast: TAX,
    faults: {
      ...QUIET,
      left: 6,
      aims: [aim(/COVERAGE#|RUN#/, 0.3, [...DEATHS, 'freeze']), aim(/PERIOD#/, 0.2, DEATHS)],
    },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['add', AT_ONCE],
      ['sync', SOON],
      ['cancel-newest', SOON],
      ['hide', AT_ONCE],
      ['sync', LATER],
      ['sync', SOON],
      ['cancel', SOON],
    ],
  },
  {
    // The cancel of a waiting run has read the coverage, and the run before it ends meanwhile.
    name: 'a run is cancelled while another one ends',
    cast: ['tax', ['rcv']],
    faults: { ...QUIET, rate: 0, left: 4, aims: [aim(/COVERAGE#/, 0.5, ['stall'])] },
    endpoints: 0,
    acts: [
      ['add', AT_ONCE],
      ['sync', AT_ONCE],
      ['sync', SOON],
      ['cancel-newest', SOON],
      ['sync', SOON],
      ['sync', SOON],
      ['cancel-newest', SOON],
      ['cancel-newest', LATER],
    ],
  },
];
