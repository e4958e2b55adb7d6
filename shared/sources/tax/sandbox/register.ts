/** The register of every company. A month is generated at its first request and stored in memory; knobs change it. */
import { addMonths, santiagoDay } from '#shared/values/dates.ts';
import { addDays } from '../../sandbox-kit/calendar.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import type { Doc } from './document.ts';
import { generateMonth } from './generate.ts';

export type Volume = 'none' | 'small' | 'large';

const MONTHS_KEPT = 24;
const LARGE = 20_000;
const CACHE_MAX = 60;

export type BookName = Pick<Doc, 'operation' | 'estado' | 'type'>;

export interface SandboxRegister {
  documents(company: string, period: string): readonly Doc[];
  /** Returns the documents of one book; type 0 means all types. */
  book(company: string, period: string, wanted: BookName): Doc[];
  periods(): string[];
  setDocuments(company: string, period: string | null, documents: number): void;
  /** Moves documents from PENDIENTE to REGISTRO, as if the receiver had acknowledged them. */
  move(company: string, period: string, documents: number): void;
}

export interface CompanyTraits {
  volumeOf(company: string): Volume;
  /** True if purchases that are pending at the end of a month are accepted in the next month. */
  acceptsLater(company: string): boolean;
}

export const createRegister = (
  seed: string,
  now: () => number,
  { volumeOf, acceptsLater }: CompanyTraits,
): SandboxRegister => {
  const sizes = new Map<string, number>();
  const moves = new Map<string, number>();
  const cache = new Map<string, Doc[]>();
  const today = () => santiagoDay(now());

  const sizeOf = (company: string, period: string): number => {
    const current = today().slice(0, 7);
    if (period > current || period < addMonths(current, -MONTHS_KEPT)) return 0;
    const set = sizes.get(`${company}|${period}`) ?? sizes.get(`${company}|`);
    if (set !== undefined) return set;
    const volume = volumeOf(company);
    if (volume === 'none') return 0;
    if (volume === 'large' && period >= addMonths(current, -1)) return LARGE;
    return createRandom(`${seed}|${company}|${period}|size`).int(110, 190);
  };

  const generate = (company: string, period: string, day: string): Doc[] =>
    generateMonth({ seed, company, period, documents: sizeOf(company, period), today: day });

  /** Purchases that are pending on the last day of a month that is over. They are accepted in the next month (tax.md §8.2). */
  const acceptedLater = (company: string, period: string): Doc[] =>
    acceptsLater(company) && period < today().slice(0, 7)
      ? generate(company, period, addDays(`${addMonths(period, 1)}-01`, -1)).filter(
          ({ estado }) => estado === 'PENDIENTE',
        )
      : [];

  const make = (company: string, period: string): Doc[] => {
    const docs = generate(company, period, today());
    let left = moves.get(`${company}|${period}`) ?? 0;
    for (const doc of docs) {
      if (left === 0) break;
      if (doc.estado !== 'PENDIENTE') continue;
      doc.estado = 'REGISTRO';
      doc.acknowledged = `${doc.received.slice(0, 10)} 18:00:00`;
      doc.event = { code: 'C', caption: 'Acuse de recibo' };
      left--;
    }
    return docs;
  };

  const documents = (company: string, period: string): Doc[] => {
    const key = `${company}|${period}|${today()}`;
    let docs = cache.get(key);
    if (!docs) {
      const later = new Set(acceptedLater(company, period).map(({ id }) => id));
      const accepted = acceptedLater(company, addMonths(period, -1)).map(
        (doc): Doc => ({ ...doc, estado: 'REGISTRO' }),
      );
      docs = [...make(company, period).filter(({ id }) => !later.has(id)), ...accepted];
      if (cache.size >= CACHE_MAX) cache.delete(cache.keys().next().value!);
      cache.set(key, docs);
    }
    return docs;
  };

  return {
    documents,
    book: (company, period, { operation, estado, type }) =>
      documents(company, period).filter(
        (doc) => doc.operation === operation && doc.estado === estado && (type === 0 || doc.type === type),
      ),
    periods: () => Array.from({ length: MONTHS_KEPT + 1 }, (_, i) => addMonths(today().slice(0, 7), i - MONTHS_KEPT)),
    setDocuments: (company, period, count) => {
      sizes.set(`${company}|${period ?? ''}`, count);
      cache.clear();
    },
    move: (company, period, count) => {
      const key = `${company}|${period}`;
      moves.set(key, (moves.get(key) ?? 0) + count);
      cache.clear();
    },
  };
};
