/** Generates the documents of one company and month from a seed: plausible types, dates, references and taxes. */
import { addMonths } from '#shared/values/dates.ts';
import { addDays, daysIn, fromSlashed, twoDigits } from '../../sandbox-kit/calendar.ts';
import type { Party } from '../../sandbox-kit/parties.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import type { WireOperation } from '../wire.ts';
import type { Doc, Estado, Tax } from './document.ts';
import { FOREIGN, FOREIGN_RUT, makeParties } from './parties.ts';

export interface MonthRequest {
  seed: string;
  /** RUT of the company. */
  company: string;
  /** YYYY-MM */
  period: string;
  documents: number;
  /** Current day in Santiago: no document has a later date. */
  today: string;
}

type Shares = readonly (readonly [number, number])[];
/** Cumulated shares of the document types, for purchases and for sales. */
const TYPES: Record<WireOperation, Shares> = {
  COMPRA: [
    [0.78, 33],
    [0.86, 34],
    [0.94, 61],
    [0.97, 46],
    [0.99, 56],
    [1, 30],
  ],
  VENTA: [
    [0.78, 33],
    [0.86, 34],
    [0.93, 61],
    [0.98, 110],
    [0.99, 46],
    [1, 56],
  ],
};

const KINDS = [
  { code: 1, text: 'Del Giro' },
  { code: 1, text: 'Del Giro' },
  { code: 2, text: 'Supermercados' },
  { code: 4, text: 'Activo Fijo' },
];
const TAXES: readonly Tax[] = [
  { code: 28, value: 4200, rate: '' },
  { code: 35, value: 1310, rate: '' },
  { code: 271, value: 900, rate: '18' },
];

/** Days after reception when a document counts as accepted (tax.md §8.2). */
const PENDING_DAYS = 8;

const typeOf = (operation: WireOperation, share: number): number =>
  TYPES[operation].find(([upTo]) => share < upTo)?.[1] ?? 33;

export const generateMonth = (request: MonthRequest): Doc[] => {
  const { seed, company, period, documents, today } = request;
  const random = createRandom(`${seed}|${company}|${period}`);
  const count = Math.min(400, 30 + Math.floor(documents / 50));
  const suppliers = makeParties(`${seed}|${company}|suppliers`, 70_001_003, count);
  const customers = makeParties(`${seed}|${company}|customers`, 70_051_003, count);
  const days = daysIn(period);
  const months = (Number(period.slice(0, 4)) - 2015) * 12 + Number(period.slice(5));
  const pendingFrom = addDays(today, -PENDING_DAYS);
  const last: Record<WireOperation, Doc | undefined> = { COMPRA: undefined, VENTA: undefined };
  const docs: Doc[] = [];
  for (let i = 0; i < documents; i++) {
    const operation: WireOperation = random.next() < 0.55 ? 'COMPRA' : 'VENTA';
    const day = random.int(1, days);
    // A folio never repeats within a company, also over months, so no document is in two months.
    const doc = draft(random, operation, {
      parties: operation === 'COMPRA' ? suppliers : customers,
      last: last[operation],
      folio: months * 200_000 + i + 1,
      days: { period, day, last: days, pendingFrom },
    });
    // The invoice is stored before the check of the day, so that the invoice to which a note refers does not depend on
    // the current day.
    if (doc.type === 33) last[operation] = doc;
    if (fromSlashed(doc.received) <= today) docs.push(doc);
  }
  return docs;
};

interface GeneratorState {
  parties: Party[];
  last: Doc | undefined;
  folio: number;
  days: { period: string; day: number; last: number; pendingFrom: string };
}

const draft = (random: Random, operation: WireOperation, place: GeneratorState): Doc => {
  const { parties, last } = place;
  const drawn = typeOf(operation, random.next());
  // A note needs an earlier invoice. If there is no earlier invoice, an invoice is generated instead of the note.
  const type = drawn === 61 && !last ? 33 : drawn;
  const foreign = type === 110 ? random.pick(FOREIGN) : null;
  const party = type === 61 && last ? last : random.pick(parties);
  const { issued, received, isRecent } = datesOf(random, operation, place);
  const estado = estadoOf(random, operation, type, isRecent);
  const amounts = amountsOf(random, type, operation, estado);
  const handled = `${received.slice(0, 10)} ${twoDigits(random.int(12, 20))}:${twoDigits(random.int(0, 59))}:00`;
  const isAcknowledged = random.next() < 0.3 && estado === 'REGISTRO';
  return {
    id: 910_000_000 + place.folio * 2 + (operation === 'COMPRA' ? 0 : 1),
    operation,
    estado,
    type,
    folio: place.folio,
    rut: foreign ? FOREIGN_RUT : party.rut,
    name: foreign?.name ?? party.name,
    issued,
    received,
    acknowledged: isAcknowledged ? handled : null,
    claimed: estado === 'RECLAMADO' ? handled : null,
    ...amounts,
    ...referenceOf(type, place),
    kind: operation === 'VENTA' ? KINDS[0]! : random.pick(KINDS),
    event: eventOf(isAcknowledged, estado),
    foreign: foreign ? { id: foreign.id, country: foreign.country } : null,
  };
};

const DEBIT_NOTE = 56;
/** Code of an order in references. */
const ORDER = 801;

/** Returns the reference of a document. A debit note is on a purchase invoice, whose folio is one less. */
const referenceOf = (type: number, { last, folio }: GeneratorState): Pick<Doc, 'reference' | 'isOnPurchaseInvoice'> => {
  const isOnPurchaseInvoice = type === DEBIT_NOTE;
  if (isOnPurchaseInvoice) return { isOnPurchaseInvoice, reference: { type: 46, folio: folio - 1 } };
  // Some invoices refer to an order, whose number has a dash.
  if (type === 33 && folio % 20 === 3)
    return { isOnPurchaseInvoice, reference: { type: ORDER, folio: `${folio % 9_000}-12` } };
  return { isOnPurchaseInvoice, reference: type === 61 && last ? { type: 33, folio: last.folio } : null };
};

const eventOf = (isAcknowledged: boolean, estado: Estado): Doc['event'] => {
  if (isAcknowledged) return { code: 'C', caption: 'Acuse de recibo' };
  return estado === 'RECLAMADO' ? { code: 'RCD', caption: 'Reclamo al contenido' } : null;
};

const datesOf = (random: Random, operation: WireOperation, place: GeneratorState) => {
  const { days } = place;
  const late = random.int(0, 2);
  const time = `${twoDigits(random.int(8, 11))}:${twoDigits(random.int(0, 59))}:${twoDigits(random.int(0, 59))}`;
  const arrival = Math.min(days.day + late, days.last);
  const [year, month] = days.period.split('-');
  return {
    issued: isPostDated(operation, place) ? nextMonthStart(days.period) : `${twoDigits(days.day)}/${month}/${year}`,
    received: `${twoDigits(arrival)}/${month}/${year} ${time}`,
    isRecent: `${days.period}-${twoDigits(arrival)}` >= days.pendingFrom,
  };
};

/**
 * True for a purchase whose supplier wrote a date of the next month. The document stays in the month of its reception
 * (tax.md §4.3). The folio decides, so that no number is drawn and all other documents are the same.
 */
const isPostDated = (operation: WireOperation, { folio }: GeneratorState): boolean =>
  operation === 'COMPRA' && folio % 50 === 7;

const nextMonthStart = (period: string): string => {
  const [year, month] = addMonths(period, 1).split('-');
  return `01/${month}/${year}`;
};

const estadoOf = (random: Random, operation: WireOperation, type: number, isRecent: boolean): Estado => {
  const share = random.next();
  const pending = random.next();
  // The company issued its notes on purchase invoices itself, so they are not pending.
  if (operation === 'VENTA' || type === DEBIT_NOTE) return 'REGISTRO';
  if (share < 0.03) return 'NO_INCLUIR';
  if (share < 0.06) return 'RECLAMADO';
  return isRecent && pending < 0.6 ? 'PENDIENTE' : 'REGISTRO';
};

const amountsOf = (random: Random, type: number, operation: WireOperation, estado: Estado) => {
  const base = Math.round(4_000 * 1000 ** random.next());
  const share = random.next();
  const isExempt = type === 34 || type === 110;
  const net = isExempt ? 0 : base;
  const exempt = isExempt ? base : share < 0.1 ? Math.round(base / 20) : 0;
  const tax = Math.round(net * 0.19);
  // In books other than REGISTRO, and for some purchases, the VAT cannot be recovered and is in a separate field (§5).
  const isLost = operation === 'COMPRA' && (estado === 'NO_INCLUIR' || share > 0.97);
  const taxes = type === 33 && share > 0.9 ? TAXES.slice(0, share > 0.94 ? random.int(2, 3) : 1) : [];
  const others = taxes.reduce((sum, { value }) => sum + value, 0);
  const total = net + exempt + tax + others;
  return { net, exempt, vat: isLost ? 0 : tax, vatNotRecoverable: isLost ? tax : 0, total, taxes };
};
