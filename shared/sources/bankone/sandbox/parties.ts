/** Invented people, companies and banks. Their RUTs have valid check digits and stand for nobody. */
import { rutCheckDigit } from '#shared/values/rut.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';

export interface Party {
  rut: string;
  name: string;
}

export const rutOf = (body: number): string => `${body}-${rutCheckDigit(String(body))}`;

/** As the wire writes it: 10 characters, zero-padded, without dash (banks.md §3.1). */
export const wireRut = (rut: string): string => rut.replace('-', '').padStart(10, '0');

const TRADES = ['COMERCIAL', 'PANADERÍA', 'TRANSPORTES', 'FERRETERÍA', 'VIÑA', 'AGRÍCOLA', 'IMPRENTA', 'SERVICIOS'];
const NAMES = ['ÑANDÚ', 'AÑIL', 'EL PEÑÓN', 'LOS ÑIRES', 'CAÑETE', 'SAN JOSÉ', 'LA UNIÓN', 'PEÑALOLÉN', 'TOLTÉN'];
const FORMS = ['SPA', 'LTDA', 'S.A.', 'E.I.R.L.'];
const GIVEN = ['ANA', 'LUIS', 'JOSÉ', 'MARÍA', 'SOFÍA', 'IÑIGO', 'RENÉ', 'PAZ'];
const FAMILY = ['MUÑOZ', 'NÚÑEZ', 'PEÑA', 'IBÁÑEZ', 'EJEMPLO', 'VICUÑA', 'MUESTRA', 'ÑANCO'];

const companies = (): Party[] => {
  const random = createRandom('bankone-parties');
  return Array.from({ length: 60 }, (_, i) => ({
    rut: rutOf(76_500_100 + i * 13),
    name: `${random.pick(TRADES)} ${random.pick(NAMES)} ${random.pick(FORMS)}`,
  }));
};

const COMPANIES = companies();

export const anyCompany = (random: Random): Party => random.pick(COMPANIES);

export const anyPerson = (random: Random): Party => ({
  rut: rutOf(random.int(9_000_000, 24_999_999)),
  name: `${random.pick(GIVEN)} ${random.pick(FAMILY)} ${random.pick(FAMILY)}`,
});

/** Regulator's codes (banks.md §1.5), invented names as in the wire document's examples. */
export const BANKS = [
  { code: '016', name: 'BANCO TRES' },
  { code: '037', name: 'BANCO DOS' },
  { code: '012', name: 'BANCO CUATRO' },
  { code: '028', name: 'BANCO ÑUBLE' },
] as const;
