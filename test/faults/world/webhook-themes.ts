/** Faults with the slots of endpoints, and with the unconditional writes that begin and end an attempt. */
import { AT_ONCE, aim, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const WRITES = /^Update (SLOTS|DELIVERY#|HOOK#)/;

export const WEBHOOK_THEMES: readonly Theme[] = [
  {
    name: 'writes of an attempt are sent twice, and late',
    faults: { ...QUIET, rate: 0, receiver: 0.3, doubled: 0.3, left: 12, aims: [aim(WRITES, 0.3, ['twice', 'echo'])] },
    endpoints: 1,
    acts: [
      ['burst', SOON],
      ['sync', LATER],
      ['burst', LATER],
    ],
  },
  {
    name: 'nothing but what the SDK makes good',
    faults: {
      ...QUIET,
      rate: 0,
      receiver: 0.5,
      doubled: 0.5,
      left: 20,
      aims: [aim(WRITES, 0.4, ['twice', 'conflict'])],
    },
    endpoints: 2,
    acts: [
      ['burst', SOON],
      ['burst', LATER],
    ],
  },
  {
    name: 'a worker dies, and its last write comes after the sweeper',
    faults: { ...QUIET, receiver: 0.3, left: 10, aims: [aim(/^Update DELIVERY#/, 0.3, ['die-late'])] },
    endpoints: 1,
    acts: [
      ['burst', SOON],
      ['sync', LATER],
      ['burst', LATER],
    ],
  },
  {
    name: 'workers die with a place',
    faults: { ...QUIET, receiver: 0.2, left: 14, aims: [aim(/^Update SLOTS/, 0.5, [...DEATHS, 'fail-after', 'echo'])] },
    endpoints: 1,
    acts: [
      ['burst', SOON],
      ['burst', SOON],
      ['sync', LATER],
    ],
  },
  {
    name: 'a slow receiver whose workers die with its place',
    faults: {
      ...QUIET,
      doubled: 0.3,
      left: 16,
      aims: [aim(/^post/, 0.5, ['stall']), aim(/^Update SLOTS/, 0.3, [...DEATHS, 'echo'])],
    },
    endpoints: 1,
    acts: [
      ['burst', AT_ONCE],
      ['burst', LATER],
    ],
  },
  {
    name: 'workers stand still between place, claim and outcome',
    faults: {
      ...QUIET,
      receiver: 0.4,
      doubled: 0.4,
      left: 12,
      aims: [aim(WRITES, 0.2, ['freeze', 'stall', 'fail-before', 'fail-after', 'die-late'])],
    },
    endpoints: 1,
    acts: [
      ['burst', SOON],
      ['sync', LATER],
    ],
  },
];
