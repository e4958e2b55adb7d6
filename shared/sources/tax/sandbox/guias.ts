/** Dispatch guides that the institution holds, from a seed (tax.md §7). */
import { addMonths, santiagoDay } from '#shared/values/dates.ts';
import { daysIn, fromSlashed, twoDigits } from '../../sandbox-kit/calendar.ts';
import type { Party } from '../../sandbox-kit/parties.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import { makeParties } from './parties.ts';
import type { Volume } from './register.ts';

export type GuideSide = 'issued' | 'received';
export const SIDES: readonly GuideSide[] = ['issued', 'received'];

export interface Guide {
  /** Number that the authority gives to a guide; null for some guides. */
  id: number | null;
  folio: number;
  rut: string;
  name: string;
  /** DD/MM/AAAA */
  issued: string;
  /** DD/MM/AAAA or empty. */
  received: string;
  net: number;
  exempt: number;
  vat: number;
  total: number;
  event: { order: string; text: string };
  /** Section of the totals that contains the guide: one document type may be in two sections (§7.2). */
  section: 'S5' | 'S1';
}

export interface Guides {
  of(company: string, period: string, side: GuideSide): Guide[];
  /** True if the app retains this month (§7.4, assumed: the current month and the five previous months). */
  isKept(period: string): boolean;
  setGuides(company: string, period: string | null, guides: number): void;
}

const MONTHS_HELD = 24;
const MONTHS_KEPT = 6;
const LARGE = 5_000;
const EVENTS = [
  { order: '2', text: 'Acuse Recibo' },
  { order: '1', text: 'Reclamo por falta de mercadería' },
];
const NO_EVENT = { order: '5', text: '' };

export const createGuides = (seed: string, now: () => number, volumeOf: (company: string) => Volume): Guides => {
  const sizes = new Map<string, number>();
  const today = () => santiagoDay(now());
  const current = () => today().slice(0, 7);

  const sizeOf = (company: string, period: string, side: GuideSide): number => {
    if (period > current() || period < addMonths(current(), -MONTHS_HELD)) return 0;
    const set = sizes.get(`${company}|${period}`) ?? sizes.get(`${company}|`);
    if (set !== undefined) return set;
    const volume = volumeOf(company);
    if (volume === 'none') return 0;
    if (volume === 'large' && side === 'issued' && period === addMonths(current(), -1)) return LARGE;
    const random = createRandom(`${seed}|${company}|${period}|guides|${side}`);
    return side === 'issued' ? random.int(8, 40) : random.int(3, 12);
  };

  return {
    of: (company, period, side) => {
      const random = createRandom(`${seed}|${company}|${period}|guide|${side}`);
      const parties = makeParties(`${seed}|${company}|guides|${side}`, side === 'issued' ? 70_051_003 : 70_001_003, 20);
      const guides = Array.from({ length: sizeOf(company, period, side) }, (_, at) =>
        draft(random, { company, parties, period }, at),
      );
      // All guides of the month were drawn above in one fixed order. A guide is shown from its day on.
      return guides.filter(({ issued, received }) => fromSlashed(received || issued) <= today());
    },
    isKept: (period) => period > addMonths(current(), -MONTHS_KEPT),
    setGuides: (company, period, guides) => void sizes.set(`${company}|${period ?? ''}`, guides),
  };
};

interface DrawnGuides {
  company: string;
  parties: Party[];
  period: string;
}

const draft = (random: Random, { company, parties, period }: DrawnGuides, at: number): Guide => {
  const [year, month] = period.split('-') as [string, string];
  const last = daysIn(period);
  const day = random.int(1, last);
  const arrival = Math.min(day + random.int(0, 2), last);
  const kind = random.next();
  const base = Math.round(3_000 * 500 ** random.next());
  // Some guides are for goods that move between the company's own sites: they have no price, and the company itself is
  // the other party.
  const isOwn = kind < 0.06;
  const isExempt = kind > 0.92;
  const net = isOwn || isExempt ? 0 : base;
  const exempt = isOwn ? 0 : isExempt ? base : 0;
  const vat = Math.round(net * 0.19);
  const party = random.pick(parties);
  const months = (Number(year) - 2015) * 12 + Number(month);
  const event = random.next();
  return {
    id: at % 7 === 4 ? null : 950_000_000 + months * 40_000 + at,
    folio: months * 20_000 + at + 1,
    rut: isOwn ? company : party.rut,
    name: isOwn ? 'TRASLADO INTERNO ÑUÑOA' : `${party.name} `,
    issued: `${twoDigits(day)}/${month}/${year}`,
    received: random.next() < 0.1 ? '' : `${twoDigits(arrival)}/${month}/${year}`,
    net,
    exempt,
    vat,
    total: net + exempt + vat,
    event: event < 0.9 ? NO_EVENT : EVENTS[event < 0.97 ? 0 : 1]!,
    section: at % 6 === 1 ? 'S1' : 'S5',
  };
};
