/** Steered histories in which customers connect by links. */
import { aim, DEATHS, LATER, QUIET, SOON, type Theme } from './theme.ts';

/** Every transaction that makes, opens or uses a link. */
const OF_LINKS = /^TransactWrite .*LINK/;

const uses = (count: number, pauses: readonly number[]) =>
  Array.from({ length: count }, () => ['link', pauses] as const);

export const LINK_THEMES: readonly Theme[] = [
  {
    name: 'customers connect by links, while functions die and answers are lost',
    faults: { ...QUIET, left: 20, aims: [aim(OF_LINKS, 0.15, [...DEATHS, 'fail-before', 'fail-after', 'conflict'])] },
    endpoints: 0,
    acts: [['sync', LATER], ...uses(10, SOON), ...uses(3, LATER), ...uses(6, SOON)],
  },
];
