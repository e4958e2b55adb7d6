/** Steered histories in which people, programs, applications and the service change everything that the trail records. */
import { aim, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

const DAY_MS = 86_400_000;
/** Every transaction with an event. */
const AUDITED = /^TransactWrite .*(CONN#|KEY#|HOOK#|GRANT#|PURGE#|RUN#)/;

const edits = (count: number, pauses: readonly number[]) =>
  Array.from({ length: count }, () => ['edit', pauses] as const);

export const AUDIT_THEMES: readonly Theme[] = [
  {
    name: 'a month of changes, while workers die and answers are lost',
    hasWrongPassword: true,
    faults: {
      ...QUIET,
      receiver: 1,
      left: 40,
      aims: [aim(AUDITED, 0.15, [...DEATHS, 'fail-before', 'fail-after', 'conflict'])],
    },
    endpoints: 1,
    acts: [
      ['sync', LATER],
      ...edits(20, SOON),
      ...Array.from({ length: 4 }, () => ['burst', LATER] as const),
      ...edits(60, [...SOON, DAY_MS]),
      ...edits(20, SOON),
    ],
  },
  {
    name: 'the service disables an endpoint and a connection fails, with changes in between',
    hasWrongPassword: true,
    faults: { ...QUIET, receiver: 1, left: 20, aims: [aim(AUDITED, 0.2, [...DEATHS, 'fail-after', 'conflict'])] },
    endpoints: 1,
    acts: [
      ['sync', LATER],
      ...edits(6, SOON),
      ['burst', LATER],
      ['burst', LATER],
      ...edits(4, LATER),
      ['burst', LATER],
    ],
  },
];
