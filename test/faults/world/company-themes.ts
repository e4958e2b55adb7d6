/** Steered histories in which a person gives a connection the credentials of another company. */
import { AT_ONCE, aim, LATER, QUIET, SOON, type Theme } from './theme.ts';

const changes = (count: number) => Array.from({ length: count }, () => ['company', SOON] as const);

export const COMPANY_THEMES: readonly Theme[] = [
  {
    name: 'the company changes while syncs fail, are cancelled, and write late',
    cast: ['tax', ['rcv']],
    changesCompany: true,
    faults: {
      ...QUIET,
      source: 0.3,
      left: 12,
      aims: [
        aim(/^(BatchWrite|TransactWrite) ROW/, 0.3, ['stall', 'freeze', 'die-after']),
        aim(/CONN#/, 0.1, ['stall']),
      ],
    },
    endpoints: 0,
    acts: [
      ...changes(2),
      ['sync', SOON],
      ...changes(2),
      ['cancel-newest', SOON],
      ...changes(3),
      ['sync', [...SOON, ...LATER]],
      ...changes(2),
      ['cancel-newest', [...SOON, ...LATER]],
      ...changes(3),
      ['sync', LATER],
      ...changes(2),
    ],
  },
  {
    name: 'the company changes before a cancelled run writes its first rows',
    cast: ['tax', ['rcv']],
    changesCompany: true,
    faults: { ...QUIET, rate: 0, left: 2, aims: [aim(/^TransactWrite .*PERIOD#/, 0.7, ['stall', 'freeze'])] },
    endpoints: 0,
    acts: [
      ['company', SOON],
      ['add', SOON],
      ['sync', [300, 600, 1_000, 2_000, 4_000]],
      ['cancel-newest', SOON],
      ...changes(4),
      ['company', LATER],
    ],
  },
  {
    name: 'the company changes while a sync begins',
    cast: ['tax', ['rcv']],
    changesCompany: true,
    // The request waits, and the sync reads the credentials meanwhile.
    faults: { ...QUIET, rate: 0, left: 20, aims: [aim(/^TransactWrite .*CREDENTIALS/, 0.9, ['throttle'])] },
    endpoints: 0,
    acts: [
      ['company', LATER],
      ['add', SOON],
      ['company', AT_ONCE],
      ['company', AT_ONCE],
      ['sync', LATER],
      ['sync', LATER],
    ],
  },
];
