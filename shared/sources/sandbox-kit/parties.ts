/** Invented people and companies. Their RUTs have valid check digits and belong to nobody. */
import { rutCheckDigit } from '#shared/values/rut.ts';
import { createRandom, type Random } from './random.ts';

export interface Party {
  /** RUT, such as `77001003-4`. */
  rut: string;
  name: string;
}

export const makeRut = (body: number): string => `${body}-${rutCheckDigit(String(body))}`;

const TRADES = ['COMERCIAL', 'PANADERÍA', 'TRANSPORTES', 'FERRETERÍA', 'VIÑA', 'AGRÍCOLA', 'IMPRENTA'];
const NAMES = ['ÑANDÚ', 'AÑIL', 'EL PEÑÓN', 'LOS ÑIRES', 'CAÑETE', 'SAN JOSÉ', 'LA UNIÓN', 'PEÑALOLÉN'];
const FORMS = ['SPA', 'LTDA', 'S.A.', 'E.I.R.L.'];

/** Parts of the names of an institution's companies. */
export interface Words {
  trades: readonly string[];
  names: readonly string[];
  forms: readonly string[];
}

export const makeWords = (trades: readonly string[], names: readonly string[]): Words => ({
  trades,
  names,
  forms: FORMS,
});

/** Returns the shared words plus the words of one institution. */
export const wordsWith = (trades: readonly string[], names: readonly string[]): Words =>
  makeWords([...TRADES, ...trades], [...NAMES, ...names]);

export const companyName = (random: Random, { trades, names, forms }: Words): string =>
  `${random.pick(trades)} ${random.pick(names)} ${random.pick(forms)}`;

/** Returns the given number of companies; the RUTs of two consecutive companies differ by `step`. */
export const companiesFrom = (
  seed: string,
  words: Words,
  { first, step, count }: Record<'first' | 'step' | 'count', number>,
): Party[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    rut: makeRut(first + i * step),
    name: companyName(random, words),
  }));
};
