/** Kept answers of a month of receipts → rows and notices (tax.md §6.3, §10). Pure. */

import { BOLETA_TYPES, type BoletaRow } from '#shared/scopes/tax-boletas.ts';
import { isRealDay } from '#shared/values/dates.ts';
import { type Json, type JsonObject, type Parsed, type ParsedRow, type RawAnswer, SourceError } from '../source.ts';
import { answerTotals, difference, registerTotals, type Totals } from './boletas-totals.ts';
import { isObject } from './envelope.ts';
import { isOutOfWindow, jsonOf } from './kept.ts';
import { checkHeader } from './rcv-summary.ts';
import { type Place, present, readAmountOrNull, readCount, readText, unreadable } from './values.ts';

interface Days {
  rows: ParsedRow[];
  totals: Totals;
}

export function* parseBoletas(company: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const summary = answers.find(isSummary);
  if (summary && isTooOld(summary)) {
    yield outOfWindow(periodOf(summary, summary.request.ptributario));
    return;
  }
  const register = summary && readRegister(company, summary);
  const days = answers.filter((answer) => !isSummary(answer));
  if (yield* tooOld(days)) return;
  for (const answer of days) {
    const type = BOLETA_TYPES.find((known) => known === String(answer.request.tipoDocumento));
    if (type === undefined) throw unreadable({ answerKey: answer.key, row: 0 }, 'tipoDocumento', 'is not known');
    const period = periodOf(answer, answer.request.periodo);
    const body = isRefused(answer) ? undefined : jsonOf(answer);
    const { rows, totals } = body ? readDays(body, period, type, answer.key) : { rows: [], totals: {} };
    for (const row of rows) yield { row };
    yield* notices(period, type, rows, totals, register && (register.get(type) ?? NO_RECEIPTS));
  }
}

/** Of days, whatever the register keeps; a type that is refused says nothing of it. */
function* tooOld(days: readonly RawAnswer[]): Generator<Parsed, boolean> {
  const [first, ...others] = days.filter(isTooOld);
  if (first === undefined) return false;
  if (others.length + 1 < days.filter((answer) => !isRefused(answer)).length)
    throw unexpected(first, 'too old, while others of the month were answered');
  yield outOfWindow(periodOf(first, first.request.periodo));
  return true;
}

const NO_RECEIPTS: Totals = { total_documentos: '0', total_amount: '0' };

const isSummary = ({ request }: RawAnswer): boolean => request.method === 'getResumen';
const isRefused = ({ request }: RawAnswer): boolean => request.isRefused === true;
const isTooOld = (answer: RawAnswer): boolean => !isRefused(answer) && isOutOfWindow(jsonOf(answer));

/** The register's totals of the month, by type. */
const readRegister = (company: string, summary: RawAnswer): ReadonlyMap<string, Totals> => {
  const body = jsonOf(summary);
  checkHeader(body, { company, month: String(summary.request.ptributario), operation: 'VENTA' }, summary.key);
  return registerTotals(body, summary.key);
};

const unexpected = (answer: RawAnswer, why: string): SourceError =>
  new SourceError('source.unexpected_response', `${answer.key}: ${why}`);

const periodOf = (answer: RawAnswer, written: unknown): string => {
  const month = /^(\d{4})(0[1-9]|1[0-2])$/.exec(String(written));
  if (!month) throw new SourceError('source.unexpected_response', `${answer.key}: no period in the request`);
  return `${month[1]}-${month[2]}`;
};

const outOfWindow = (period: string): Parsed => ({
  notice: {
    code: 'tax.boletas.out_of_window',
    message: `The tax authority does not keep receipts of ${period}: it is too old.`,
  },
});

/** A total that does not hold is a warning, never an error (§6.3). */
function* notices(
  period: string,
  type: string,
  rows: readonly ParsedRow[],
  totals: Totals,
  month: Totals | undefined,
): Generator<Parsed> {
  const receipts = month?.total_documentos ?? totals.total_documentos ?? '0';
  if (rows.length === 0 && receipts !== '0') {
    const message = `${period}: ${receipts} receipts of type ${type} are shown as a monthly total only.`;
    yield { notice: { code: 'tax.boletas.total_only', message } };
    return;
  }
  const read = rows.map(({ row }) => row as BoletaRow);
  const differs = difference(read, totals) ?? (month && difference(read, month));
  if (differs !== undefined)
    yield { notice: { code: 'tax.boletas.totals_differ', message: `${period}, type ${type}: ${differs}.` } };
}

/** An empty month may be `data: null`, an empty list, or an object without days (§6.3, assumed). */
const readDays = (body: JsonObject, period: string, type: BoletaRow['document_type'], answerKey: string): Days => {
  const place: Place = { answerKey, row: 0 };
  const { data } = body;
  if (data === null || (Array.isArray(data) && data.length === 0)) return { rows: [], totals: {} };
  if (!isObject(data)) throw unreadable(place, 'data', 'is missing');
  const list = present(data, 'boletas', place);
  if (list !== null && !Array.isArray(list)) throw unreadable(place, 'boletas', 'is not a list');
  return { rows: readRows(list ?? [], period, type, place), totals: answerTotals(data, place) };
};

/** Texts and nulls among the days are no days (§6.3). A day that is shown twice must be the same day. */
const readRows = (
  list: readonly Json[],
  period: string,
  type: BoletaRow['document_type'],
  place: Place,
): ParsedRow[] => {
  const days = new Map<number, string>();
  const rows: ParsedRow[] = [];
  for (const raw of list) {
    place.row++;
    if (!isObject(raw) || raw.dia === undefined) continue;
    const row = toRow(raw, period, type, place);
    const content = JSON.stringify(row);
    const before = days.get(row.day);
    if (before === content) continue;
    if (before !== undefined) throw unreadable(place, 'dia', 'comes twice with other amounts');
    days.set(row.day, content);
    rows.push({ row, raw, answerKey: place.answerKey });
  }
  return rows;
};

const toRow = (raw: JsonObject, period: string, type: BoletaRow['document_type'], place: Place): BoletaRow => {
  const amount = (field: string) => readAmountOrNull(present(raw, field, place), field, place);
  const day = readCount(raw.dia, 'dia', place);
  if (day === null || !isRealDay(`${period}-${String(day).padStart(2, '0')}`))
    throw unreadable(place, 'dia', 'is not a day of the month');
  return {
    period,
    document_type: type,
    day,
    total_documentos: readCount(present(raw, 'totalDocumentos', place), 'totalDocumentos', place),
    net_amount: amount('montoNeto'),
    exempt_amount: amount('montoExento'),
    vat_amount: amount('montoIva'),
    total_amount: amount('montoTotal'),
    // Not on any public wire; read if it ever appears (§6.3).
    channel: readText(raw.canal, 'canal', place),
  };
};
