/** Invented companies. Their RUTs have valid check digits and belong to no real company. */
import { companyName, makeRut, makeWords, type Party } from '../../sandbox-kit/parties.ts';
import { createRandom } from '../../sandbox-kit/random.ts';

export interface BankParty extends Party {
  bankCode: string;
  accountNumber: string;
}

const WORDS = makeWords(
  ['INVENTOS', 'PANADERÍA', 'TRANSPORTES', 'COMPAÑÍA', 'VIÑA', 'AGRÍCOLA', 'ASESORÍAS', 'MUEBLES'],
  ['ÑUÑOA', 'LOS QUEÑES', 'EL PEÑÓN', 'CAÑETE', 'SAN JOSÉ', 'LA UNIÓN', 'DEL AÑO', 'MUESTRA', 'PUCÓN'],
);
/** Bank codes, with the code 999 that no table of banks contains. */
const BANKS = ['001', '012', '014', '016', '028', '037', '039', '049', '672', '999'];

export const makeParties = (seed: string, count: number): BankParty[] => {
  const random = createRandom(seed);
  return Array.from({ length: count }, (_, i) => ({
    rut: makeRut(77_001_003 + i * 11),
    name: companyName(random, WORDS),
    bankCode: random.pick(BANKS),
    accountNumber: String(random.int(10_000, 99_999_999)).padStart(9, '0'),
  }));
};
