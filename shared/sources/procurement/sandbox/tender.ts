/**
 * Tenders of the simulated portal. They are generated only from seed and code, so that every process has the same
 * tenders.
 */
import { addDays, formatDay, twoDigits } from '../../sandbox-kit/calendar.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import { type Local, local, toMs } from './clock.ts';
import { type Buyer, makeBuyer } from './parties.ts';
import {
  type FileModel,
  filesFor,
  type OfferModel,
  offersFor,
  QUESTIONS_MAX,
  type QuestionModel,
  questionsFor,
} from './parts.ts';

export interface Size {
  anexos: number;
  antecedentes: number;
  preguntas: number;
  ofertas: number;
}

export interface TenderModel {
  codigo: string;
  unit: number;
  tipo: string;
  nombre: string;
  descripcion: string;
  moneda: string;
  /** Exact decimal number as text; null when the amount is not shown. */
  monto: string | null;
  buyer: Buyer;
  publicacion: Local;
  inicioPreguntas: Local;
  finPreguntas: Local;
  respuestas: Local;
  cierre: Local;
  apertura: Local;
  adjudicacion: Local;
  finalState: number;
  hasTerms: boolean;
  anexos: FileModel[];
  /** Files of the second listings. Each item has one listing, and two items lead to the first listing. */
  antecedentes: FileModel[];
  preguntas: QuestionModel[];
  ofertas: OfferModel[];
}

/** Numbering of codes: ten tenders per month since 2020. */
const FIRST_YEAR = 2020;
const PER_MONTH = 10;
const TYPES = ['LE', 'L1', 'LP', 'LE', 'LR', 'LQ', 'L1', 'LE', 'LS', 'O1'] as const;

export const makeCode = (unit: number, month: string, n: number, type: string = TYPES[n % PER_MONTH]!): string => {
  const [year = 0, of = 0] = month.split('-').map(Number);
  return `${unit}-${((year - FIRST_YEAR) * 12 + of - 1) * PER_MONTH + n}-${type}${String(year).slice(2)}`;
};

interface ReadCode {
  unit: number;
  month: string;
  n: number;
  tipo: string;
}

const readCode = (codigo: string): ReadCode | undefined => {
  const match = /^(\d{6})-(\d{1,6})-([A-Z][A-Z0-9])(\d{2})$/.exec(codigo);
  if (!match) return undefined;
  const sequence = Number(match[2]);
  const [index, n] = [Math.floor(sequence / PER_MONTH), sequence % PER_MONTH];
  const year = FIRST_YEAR + Math.floor(index / 12);
  if (String(year).slice(2) !== match[4]) return undefined;
  return { unit: Number(match[1]), month: `${year}-${twoDigits((index % 12) + 1)}`, n, tipo: match[3]! };
};

const THINGS = ['Arriendo de bodegas', 'Tóner y artículos de oficina', 'Mantención de calderas', 'Señalética vial'];
const WHY = ['para la temporada de invierno en la zona sur', 'del año siguiente, según bases', 'y reparación de daños'];
const MONTHS_KEPT = 26;

/** Returns the tender; undefined for a code that does not exist at the portal at this time. */
export const makeTender = (seed: string, codigo: string, nowMs: number, sizeOf: (unit: number) => Size | undefined) => {
  const code = readCode(codigo);
  const size = code && sizeOf(code.unit);
  if (!code || !size) return undefined;
  const random = createRandom(`${seed}|${codigo}`);
  const day = formatDay(code.month, 1 + random.int(0, 17));
  const publicacion = local(day, '09:58:41');
  const age = (nowMs - toMs(publicacion)) / 86_400_000;
  if (age < 0 || age > MONTHS_KEPT * 31) return undefined;
  const cierre = addDays(day, 15);
  const moneda = random.pick(['CLP', 'CLP', 'CLP', 'USD', 'CLF', 'UTM']);
  const model: TenderModel = {
    codigo,
    unit: code.unit,
    tipo: code.tipo,
    nombre: `${random.pick(THINGS)} ${random.pick(WHY)}`,
    descripcion: 'Según bases administrativas y técnicas.\nIncluye traslado a Ñuñoa & alrededores.',
    moneda,
    monto: random.int(0, 5) === 0 ? null : formatAmount(random.int(1_000_000, 90_000_000), moneda, random.int(1, 99)),
    buyer: makeBuyer(random, code.unit),
    publicacion,
    inicioPreguntas: local(day, '10:01:00'),
    finPreguntas: local(addDays(day, 4), '18:00:00'),
    respuestas: local(addDays(day, 7), '18:00:00'),
    cierre: local(cierre, '15:00:00'),
    apertura: local(cierre, '15:01:00'),
    adjudicacion: local(addDays(day, 36), '17:00:00'),
    finalState: random.pick([8, 8, 8, 8, 7, 18]),
    hasTerms: random.int(0, 1) === 0,
    anexos: filesFor(random, size.anexos, publicacion),
    antecedentes: filesFor(random, size.antecedentes, publicacion),
    preguntas: questionsFor(random, firstQuestion(code), size.preguntas, {
      asked: addDays(day, 1),
      answered: addDays(day, 7),
    }),
    ofertas: offersFor(random, size.ofertas, moneda, cierre),
  };
  return model;
};

const UNITS_FROM = 990_000;

/** Returns the first question number of a tender; the number ranges of different tenders do not overlap. */
const firstQuestion = ({ unit, month, n }: ReadCode): number => {
  const [year = 0, of = 0] = month.split('-').map(Number);
  const tender = (((unit - UNITS_FROM) * 100 + year - FIRST_YEAR) * 12 + of) * PER_MONTH + n;
  return tender * 2 * QUESTIONS_MAX;
};

/** Writes an amount: pesos are whole, any other currency has cents. */
export const formatAmount = (whole: number, moneda: string, cents: number): string =>
  moneda === 'CLP' ? String(whole) : `${Math.floor(whole / 1_000)}.${twoDigits(cents)}`;

/**
 * Returns the state code of a tender: first 5, then 6, then its final state. The simulated time decides (procurement.md
 * §6).
 */
export const deriveState = (tender: TenderModel, nowMs: number): number => {
  if (nowMs < toMs(tender.cierre)) return 5;
  return nowMs < toMs(tender.adjudicacion) ? 6 : tender.finalState;
};

/** Returns the codes that one unit published on a day. */
export const codesOfDay = (unit: number, day: string): string[] =>
  Array.from({ length: PER_MONTH }, (_, n) => makeCode(unit, day.slice(0, 7), n));
