/** Invented companies. Their RUTs have valid check digits and stand for nobody. */
import { rutCheckDigit } from '#shared/values/rut.ts';
import { createRandom } from '../../sandbox-kit/random.ts';

export interface Party {
  /** `77001003-4` */
  rut: string;
  name: string;
  bankCode: string;
  accountNumber: string;
}

export const rutOf = (body: number): string => `${body}-${rutCheckDigit(String(body))}`;

const TRADES = ['INVENTOS', 'PANADERÍA', 'TRANSPORTES', 'COMPAÑÍA', 'VIÑA', 'AGRÍCOLA', 'ASESORÍAS', 'MUEBLES'];
const NAMES = ['ÑUÑOA', 'LOS QUEÑES', 'EL PEÑÓN', 'CAÑETE', 'SAN JOSÉ', 'LA UNIÓN', 'DEL AÑO', 'MUESTRA', 'PUCÓN'];
const FORMS = ['SPA', 'LTDA', 'S.A.', 'E.I.R.L.'];
/** 999 is in nobody's table. */
const BANKS = ['001', '012', '014', '016', '028', '037', '039', '049', '672', '999'];

export const partiesOf = (seed: string, count: number): Party[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    rut: rutOf(77_001_003 + i * 11),
    name: `${random.pick(TRADES)} ${random.pick(NAMES)} ${random.pick(FORMS)}`,
    bankCode: random.pick(BANKS),
    accountNumber: String(random.int(10_000, 99_999_999)).padStart(9, '0'),
  }));
};
