/**
 * Invented companies. Their RUTs are close to the RUTs in the examples of tax.md, have valid check digits and belong to
 * no real company.
 */
import { companiesFrom, type Party, wordsWith } from '../../sandbox-kit/parties.ts';

/** One RUT for every foreign customer (tax.md §4.3). */
export const FOREIGN_RUT = '55555555-5';

const WORDS = wordsWith(['SERVICIOS'], ['EJEMPLO', 'TOLTÉN']);

/** Every twentieth company has a trade name in quotes, which a file writes as `""` (tax.md §5). */
export const makeParties = (seed: string, first: number, count: number): Party[] =>
  companiesFrom(seed, WORDS, { first, step: 7, count }).map((party, at) =>
    at % 20 === 7 ? { ...party, name: `${party.name} "EL CLAVO"` } : party,
  );

export const FOREIGN: readonly { name: string; id: string; country: string }[] = [
  { name: 'EXAMPLE IMPORTS GMBH', id: 'DE-4471', country: '563' },
  { name: 'COMPAÑÍA DE MUESTRA SAC', id: 'PE-2208', country: '219' },
  { name: 'SAMPLE FOODS INC', id: 'US-9013', country: '225' },
];
