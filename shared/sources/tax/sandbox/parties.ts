/** Invented companies. Their RUTs lie next to those of tax.md's cast, have valid check digits and stand for nobody. */
import { rutCheckDigit } from '#shared/values/rut.ts';
import { createRandom } from '../../sandbox-kit/random.ts';

export interface Party {
  rut: string;
  name: string;
}

export const rutOf = (body: number): string => `${body}-${rutCheckDigit(String(body))}`;

/** One RUT for every foreign customer (tax.md §4.3). */
export const FOREIGN_RUT = '55555555-5';

const TRADES = ['COMERCIAL', 'PANADERÍA', 'TRANSPORTES', 'FERRETERÍA', 'VIÑA', 'AGRÍCOLA', 'IMPRENTA', 'SERVICIOS'];
const NAMES = [
  'ÑANDÚ',
  'AÑIL',
  'EL PEÑÓN',
  'LOS ÑIRES',
  'CAÑETE',
  'SAN JOSÉ',
  'LA UNIÓN',
  'PEÑALOLÉN',
  'EJEMPLO',
  'TOLTÉN',
];
const FORMS = ['SPA', 'LTDA', 'S.A.', 'E.I.R.L.'];

export const partiesOf = (seed: string, firstBody: number, count: number): Party[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    rut: rutOf(firstBody + i * 7),
    name: `${random.pick(TRADES)} ${random.pick(NAMES)} ${random.pick(FORMS)}`,
  }));
};

export const FOREIGN: readonly { name: string; id: string; country: string }[] = [
  { name: 'EXAMPLE IMPORTS GMBH', id: 'DE-4471', country: '563' },
  { name: 'COMPAÑÍA DE MUESTRA SAC', id: 'PE-2208', country: '219' },
  { name: 'SAMPLE FOODS INC', id: 'US-9013', country: '225' },
];
