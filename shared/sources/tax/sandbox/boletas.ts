/** Daily receipts that the institution holds: one sum for each day and document type, from a seed (tax.md §6). */
import { daysIn, formatDay } from '../../sandbox-kit/calendar.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import type { SandboxRegister } from './register.ts';

export interface BoletaDay {
  day: number;
  documents: number;
  net: number;
  vat: number;
  exempt: number;
  total: number;
}

export type BoletaType = 39 | 41;
export const BOLETA_TYPES: readonly BoletaType[] = [39, 41];

export interface Boletas {
  /** Returns only days with receipts, oldest first. */
  days(company: string, period: string, type: BoletaType): BoletaDay[];
}

const sharesOfDays: Record<BoletaType, number> = { 39: 0.9, 41: 0.4 };

/** Generates receipts. A company has receipts only in months in which it has documents. */
export const createBoletas = (seed: string, register: SandboxRegister, today: () => string): Boletas => ({
  days: (company, period, type) => {
    if (register.documents(company, period).length === 0) return [];
    const random = createRandom(`${seed}|${company}|${period}|boletas|${type}`);
    const last = daysIn(period);
    return Array.from({ length: last }, (_, i) => drawDay(random, i + 1, type)).filter(
      (day): day is BoletaDay => day !== undefined && formatDay(period, day.day) <= today(),
    );
  },
});

/** Returns the receipts of a day; undefined when the company is closed on this day. */
const drawDay = (random: Random, day: number, type: BoletaType): BoletaDay | undefined => {
  const [isOpen, documents, base, share] = [random.next(), random.int(1, 140), random.int(900, 9_000), random.next()];
  if (isOpen > sharesOfDays[type]) return undefined;
  const sold = documents * base;
  const net = type === 41 ? 0 : sold;
  const vat = Math.round(net * 0.19);
  const exempt = type === 41 ? sold : share < 0.2 ? Math.round(sold / 30) : 0;
  return { day, documents, net, vat, exempt, total: net + vat + exempt };
};

export const sumOfDays = (days: readonly BoletaDay[]) => {
  const sum = (field: Exclude<keyof BoletaDay, 'day'>) => days.reduce((total, day) => total + day[field], 0);
  return {
    documents: sum('documents'),
    net: sum('net'),
    vat: sum('vat'),
    exempt: sum('exempt'),
    total: sum('total'),
  };
};
