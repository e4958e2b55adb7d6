/** Invented buyers and suppliers. Their RUTs have valid check digits and belong to no real company. */
import { companyName, makeRut, type Party } from '../../sandbox-kit/parties.ts';
import type { Random } from '../../sandbox-kit/random.ts';

/** Writes `61999001-3` as `61.999.001-3`, as the portal does (procurement.md §2.4, §3.4). */
export const dotted = (rut: string): string => {
  const [body = '', check] = rut.split('-');
  return `${body.replaceAll(/\B(?=(?:\d{3})+$)/g, '.')}-${check}`;
};

const WORDS = {
  trades: ['Comercial', 'Constructora', 'Transportes', 'Ferretería', 'Agrícola', 'Imprenta', 'Servicios'],
  names: ['Ñandú', 'Añil', 'El Peñón', 'Los Ñires', 'Cañete', 'San José', 'La Unión', 'Toltén', 'Curicó'],
  forms: ['SpA', 'Ltda.', 'S.A.', 'E.I.R.L.'],
};

export const supplier = (random: Random, n: number): Party => ({
  rut: makeRut(76_500_000 + n * 37),
  name: companyName(random, WORDS),
});

export interface Buyer {
  organismo: string;
  rut: string;
  unidad: string;
  direccion: string;
  comuna: string;
  region: string;
}

const BUYERS = ['SERVICIO FICTICIO DE NIEVES', 'MUNICIPALIDAD DE VILLA ÑANCUPEL', 'HOSPITAL DE MUESTRA'];
const PLACES = [
  ['Temuco', 'Región de la Araucanía '],
  ['Ñuñoa', 'Región Metropolitana de Santiago'],
  ['Vicuña', 'Región de Coquimbo '],
] as const;

export const makeBuyer = (random: Random, unit: number): Buyer => {
  const [comuna, region] = random.pick(PLACES);
  return {
    organismo: random.pick(BUYERS),
    rut: makeRut(61_900_000 + (unit % 1_000)),
    unidad: random.pick(['Abastecimiento Sur', 'Adquisiciones', 'Dirección de Compras']),
    direccion: `Calle Inventada ${random.int(1, 900)}`,
    comuna,
    region,
  };
};
