/** Parses the stored answers of a month of daily receipts into rows and notices (tax.md §6.3, §10). Pure. */
import { BOLETA_TYPES, type BoletaRow } from '#shared/scopes/tax-boletas.ts';
import { isRealDay } from '#shared/values/dates.ts';
import { isObject } from '../parsing/bodies.ts';
import { notice } from '../parsing/results.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { Json, JsonObject, Parsed, ParsedRow, RawAnswer } from '../source.ts';
import { answerTotals, type BoletaTotals, registerTotals, toldTotals } from './boletas-totals.ts';
import { isOutOfWindow, parseJsonAnswer, periodIn, tellTooOld } from './kept.ts';
import { checkHeader } from './rcv-summary.ts';
import { present, readAmountOrNull, readCount, readText, unreadable } from './values.ts';

interface Days {
  rows: ParsedRow[];
  totals: BoletaTotals;
}

/** Parameters of the request for the days of a month. */
interface BoletaRequest {
  period: string;
  type: BoletaRow['document_type'];
}

export function* parseBoletas(company: string, answers: readonly RawAnswer[]): Generator<Parsed> {
  const summary = answers.find(isSummary);
  if (summary && isTooOld(summary)) {
    yield outOfWindow(periodIn(summary.key, summary.request.ptributario));
    return;
  }
  const register = summary && readRegister(company, summary);
  const days = answers.filter((answer) => !isSummary(answer));
  // Only answers with days show whether a month is too old: the register has a longer window than receipts, and a
  // refused document type says nothing about the window.
  const answered = days.filter((answer) => !isRefused(answer)).length;
  if (
    yield* tellTooOld(days.filter(isTooOld), answered, ({ key, request }) =>
      outOfWindow(periodIn(key, request.periodo)),
    )
  )
    return;
  for (const answer of days) {
    const asked = askedIn(answer);
    const body = isRefused(answer) ? undefined : parseJsonAnswer(answer);
    const read: Days = body ? readDays(body, asked, answer.key) : { rows: [], totals: {} };
    for (const row of read.rows) yield { row };
    const month = register && (register.get(asked.type) ?? NO_RECEIPTS);
    yield* toldTotals(asked.type, read.totals, month);
    yield* totalOnly(asked, read, month);
  }
}

const askedIn = ({ key, request }: RawAnswer): BoletaRequest => {
  const type = BOLETA_TYPES.find((known) => known === String(request.tipoDocumento));
  if (type === undefined) throw unreadable({ answerKey: key, row: 0 }, 'tipoDocumento', 'is not known');
  return { type, period: periodIn(key, request.periodo) };
};

const NO_RECEIPTS: BoletaTotals = { total_documentos: '0', total_amount: '0' };

const isSummary = ({ request }: RawAnswer): boolean => request.method === 'getResumen';
const isRefused = ({ request }: RawAnswer): boolean => request.isRefused === true;
const isTooOld = (answer: RawAnswer): boolean => !isRefused(answer) && isOutOfWindow(parseJsonAnswer(answer));

/** Returns the register's totals of the month by document type. */
const readRegister = (company: string, summary: RawAnswer): ReadonlyMap<string, BoletaTotals> => {
  const body = parseJsonAnswer(summary);
  checkHeader(body, { company, month: String(summary.request.ptributario), operation: 'VENTA' }, summary.key);
  return registerTotals(body, summary.key);
};

const outOfWindow = (period: string): Parsed =>
  notice('tax.boletas.out_of_window', `The tax authority does not keep receipts of ${period}: it is too old.`, {
    period,
  });

function* totalOnly(
  { period, type }: BoletaRequest,
  { rows, totals }: Days,
  month: BoletaTotals | undefined,
): Generator<Parsed> {
  const receipts = month?.total_documentos ?? totals.total_documentos ?? '0';
  if (rows.length > 0 || receipts === '0') return;
  const message = `${period}: ${receipts} receipts of type ${type} are shown as a monthly total only.`;
  yield notice('tax.boletas.total_only', message, { period, document_type: String(type), count: Number(receipts) });
}

/**
 * Reads the days of a month. The `data` of an empty month may be null, an empty list, or an object without days (§6.3,
 * assumed).
 */
const readDays = (body: JsonObject, asked: BoletaRequest, answerKey: string): Days => {
  const place: AnswerPlace = { answerKey, row: 0 };
  const { data } = body;
  if (data === null || (Array.isArray(data) && data.length === 0)) return { rows: [], totals: {} };
  if (!isObject(data)) throw unreadable(place, 'data', 'is missing');
  const list = present(data, 'boletas', place);
  if (list !== null && !Array.isArray(list)) throw unreadable(place, 'boletas', 'is not a list');
  return { rows: readRows(list ?? [], asked, place), totals: answerTotals(data, place) };
};

/**
 * Ignores texts and nulls in the list, because they are not days (§6.3). If a day is listed twice, both entries must be
 * equal.
 */
const readRows = (list: readonly Json[], asked: BoletaRequest, place: AnswerPlace): ParsedRow[] => {
  const days = new Map<number, string>();
  const rows: ParsedRow[] = [];
  for (const raw of list) {
    place.row++;
    if (!isObject(raw) || raw.dia === undefined) continue;
    const row = toRow(raw, asked, place);
    const content = JSON.stringify(row);
    const before = days.get(row.day);
    if (before === content) continue;
    if (before !== undefined) throw unreadable(place, 'dia', 'comes twice with other amounts');
    days.set(row.day, content);
    rows.push({ row, raw, answerKey: place.answerKey });
  }
  return rows;
};

const toRow = (raw: JsonObject, { period, type }: BoletaRequest, place: AnswerPlace): BoletaRow => {
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
    // No public source has seen the field `canal`; the parser reads it if it ever appears (§6.3).
    channel: readText(raw.canal, 'canal', place),
  };
};
