/** Invented people, companies and banks. Their RUTs have valid check digits and belong to nobody. */
import { companiesFrom, makeRut, type Party, wordsWith } from '../../sandbox-kit/parties.ts';
import type { Random } from '../../sandbox-kit/random.ts';

/** Converts a RUT to the wire format: 10 characters, zero-padded, without dash (banks.md §3.1). */
export const wireRut = (rut: string): string => rut.replace('-', '').padStart(10, '0');

const GIVEN = ['ANA', 'LUIS', 'JOSÉ', 'MARÍA', 'SOFÍA', 'IÑIGO', 'RENÉ', 'PAZ'];
const FAMILY = ['MUÑOZ', 'NÚÑEZ', 'PEÑA', 'IBÁÑEZ', 'EJEMPLO', 'VICUÑA', 'MUESTRA', 'ÑANCO'];

const WORDS = wordsWith(['SERVICIOS'], ['TOLTÉN']);
const COMPANIES = companiesFrom('bankone-parties', WORDS, { first: 76_500_100, step: 13, count: 60 });

export const anyCompany = (random: Random): Party => random.pick(COMPANIES);

export const anyPerson = (random: Random): Party => ({
  rut: makeRut(random.int(9_000_000, 24_999_999)),
  name: `${random.pick(GIVEN)} ${random.pick(FAMILY)} ${random.pick(FAMILY)}`,
});

/** Bank codes of the regulator (banks.md §1.5), with invented names as in the examples of the wire document. */
export const BANKS = [
  { code: '016', name: 'BANCO TRES' },
  { code: '037', name: 'BANCO DOS' },
  { code: '012', name: 'BANCO CUATRO' },
  { code: '028', name: 'BANCO ÑUBLE' },
] as const;
