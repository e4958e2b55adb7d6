/** Kept answers of a month of dispatch guides → rows and notices (tax.md §7.3, §10). Pure. */
import type { GuiaRow } from '#shared/scopes/tax-guias.ts';
import { type JsonObject, type Parsed, type RawAnswer, SourceError } from '../source.ts';
import { isObject } from './envelope.ts';
import { detailRows, readDetail } from './guias-detail.ts';
import { type Direction, OPERATIONS } from './guias-request.ts';
import { readGuideTotals } from './guias-summary.ts';
import { isGuideWindow, jsonOf } from './kept.ts';
import {
  type Place,
  present,
  readAmountOrNull,
  readDay,
  readKey,
  readRate,
  readRut,
  readText,
  unreadable,
} from './values.ts';

/** What the request of an answer, not its rows, decides (§7.3). */
interface Reading {
  period: string;
  direction: Direction;
  type: string | null;
  refNCD: string;
}

export function* parseGuides(answers: readonly RawAnswer[]): Generator<Parsed> {
  let isWindowTold = false;
  const totals = new Map<string, number>();
  // Totals first, whatever order the answers come in.
  for (const answer of answers.toSorted((a, b) => Number(isDetail(a)) - Number(isDetail(b)))) {
    const reading = readingOf(answer);
    const { body, rates } = isDetail(answer) ? readDetail(answer) : { body: jsonOf(answer), rates: new Map() };
    if (!isObject(body)) throw unknown(answer, 'the answer is not a JSON object');
    if (isGuideWindow(body)) {
      if (!isWindowTold) yield outOfWindow(reading.period);
      isWindowTold = true;
    } else if (isDetail(answer)) {
      const rows = detailRows(body, answer.key);
      yield* guides(rows, rates, reading, answer.key);
      yield* fewerNotice(rows.length, totals.get(keyOf(reading)) ?? 0, reading);
    } else {
      for (const { type, refNCD, guides } of readGuideTotals(body, answer.key))
        totals.set(keyOf({ ...reading, type, refNCD }), guides);
    }
  }
}

const isDetail = ({ request }: RawAnswer): boolean => request.method !== 'getResumen';

const keyOf = ({ direction, type, refNCD }: Reading): string => `${direction}/${type}/${refNCD}`;

const outOfWindow = (period: string): Parsed => ({
  notice: {
    code: 'tax.guias.out_of_window',
    message: `The tax authority does not keep dispatch guides of ${period} any more: it is too old.`,
  },
});

/** The app's totals and its rows do not always agree (§7.3): told, never hidden, never an error. */
function* fewerNotice(rows: number, guides: number, { period, direction }: Reading): Generator<Parsed> {
  if (rows >= guides) return;
  const message = `${period}, ${direction}: ${rows} guides came, the authority's total says ${guides}.`;
  yield { notice: { code: 'tax.guias.fewer_than_total', message } };
}

function* guides(
  rows: ReturnType<typeof detailRows>,
  rates: ReadonlyMap<unknown, string>,
  reading: Reading,
  answerKey: string,
): Generator<Parsed> {
  const place: Place = { answerKey, row: 0 };
  for (const raw of rows) {
    place.row++;
    if (!isObject(raw)) throw unreadable(place, 'row', 'is not an object');
    yield { row: { row: toRow(raw, rates.get(raw) ?? raw.tasaImptoIVA, reading, place), raw, answerKey } };
  }
}

const toRow = (raw: JsonObject, rate: unknown, { period, direction, type }: Reading, place: Place): GuiaRow => {
  const text = (field: string) => readText(raw[field], field, place);
  const amount = (field: string) => readAmountOrNull(present(raw, field, place), field, place);
  if (type === null) throw unreadable(place, 'tipoDoc', 'is not in the request');
  const folio = readKey(raw.folio, 'folio', place);
  // The other party, for received guides too, where it is the issuer; `*Emisor` stay null (§7.3).
  const rut = `${readKey(raw.rutReceptor, 'rutReceptor', place)}-${readKey(raw.dvReceptor, 'dvReceptor', place)}`;
  const counterparty = readRut(rut, 'rutReceptor', place);
  const number = text('dhdrCodigo');
  return {
    period,
    direction,
    folio,
    issued_at: readDay(present(raw, 'fechaEmision', place), 'fechaEmision', place),
    counterparty_rut: counterparty,
    counterparty_name: readText(present(raw, 'rznSocRecep', place), 'rznSocRecep', place),
    total_amount: amount('mntTotal'),
    vat_amount: amount('mntIva'),
    // The caption as it stands; 5 ("no event") has none, and none is made up for the others.
    status: text('dehDescripcion'),
    // The authority's number may be missing: then what names the guide (§10).
    source_guide_id: number ?? `${direction}-${counterparty}-${folio}`,
    document_type: type,
    net_amount: amount('mntNeto'),
    exempt_amount: amount('mntExento'),
    vat_rate: readRate(rate, 'tasaImptoIVA', place),
    received_at: readDay(raw.fechaRecepcion, 'fechaRecepcion', place),
    event_order: readOrder(text('dehOrdenEvento'), place),
    event_description: text('dehDescripcion'),
    dhdr_codigo: number,
  };
};

/** A string or a small number (§7.3). */
const readOrder = (text: string | null, place: Place): string | null => {
  if (text !== null && !/^\d{1,3}$/.test(text)) throw unreadable(place, 'dehOrdenEvento', 'is not an event number');
  return text;
};

const unknown = (answer: RawAnswer, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${answer.key}: ${why}`);

const readingOf = (answer: RawAnswer): Reading => {
  const { periodo, operacion, tipoDoc, refNCD } = answer.request;
  const direction = (['issued', 'received'] as const).find((known) => OPERATIONS[known] === String(operacion));
  if (direction === undefined) throw unknown(answer, 'neither issued nor received');
  if (!/^\d{4}-(?:0[1-9]|1[0-2])$/.test(String(periodo))) throw unknown(answer, 'no period in the request');
  const type = tipoDoc === null || tipoDoc === undefined ? null : String(tipoDoc);
  return { period: String(periodo), direction, type, refNCD: String(refNCD ?? 0) };
};
