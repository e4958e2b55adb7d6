/**
 * Totals that the days of a month should add up to: the totals in the answer with the days, and the totals in the
 * register's line (tax.md §6.3).
 */
import { isObject } from '../parsing/bodies.ts';
import type { AnswerPlace } from '../parsing/values.ts';
import type { JsonObject, Parsed } from '../source.ts';
import { dataRows, readSummary } from './rcv-summary.ts';
import { isBlank, readAmount } from './values.ts';

const FIELDS = ['total_documentos', 'net_amount', 'vat_amount', 'exempt_amount', 'total_amount'] as const;
type BoletaField = (typeof FIELDS)[number];

/** A field is absent when the source does not report it. */
export type BoletaTotals = Partial<Record<BoletaField, string>>;

const OF_ANSWER: Record<BoletaField, string> = {
  total_documentos: 'totalDocumentos',
  net_amount: 'montoNeto',
  vat_amount: 'montoIva',
  exempt_amount: 'montoExento',
  total_amount: 'montoTotal',
};
const OF_REGISTER: Record<BoletaField, string> = {
  total_documentos: 'rsmnTotDoc',
  net_amount: 'rsmnMntNeto',
  vat_amount: 'rsmnMntIVA',
  exempt_amount: 'rsmnMntExe',
  total_amount: 'rsmnMntTotal',
};

const readTotals = (from: JsonObject, names: Record<BoletaField, string>, place: AnswerPlace): BoletaTotals => {
  const totals: BoletaTotals = {};
  for (const field of FIELDS) {
    const value = from[names[field]];
    if (!isBlank(value)) totals[field] = readAmount(value, names[field], place);
  }
  return totals;
};

export const answerTotals = (data: JsonObject, place: AnswerPlace): BoletaTotals => readTotals(data, OF_ANSWER, place);

/**
 * Returns the register's lines of receipts by document type. Throws when any line is unreadable, because that line may
 * be the line of the receipts.
 */
export const registerTotals = (summary: JsonObject, answerKey: string): ReadonlyMap<string, BoletaTotals> => {
  readSummary(summary, answerKey);
  const rows = dataRows(summary, answerKey).filter(isObject);
  const totals = rows.map((row, at): [string, BoletaTotals] => [
    String(row.rsmnTipoDocInteger).trim(),
    readTotals(row, OF_REGISTER, { answerKey, row: at + 1 }),
  ]);
  return new Map(totals);
};

/**
 * Yields the totals of a type from two places: the answer with the days, and the register's line. Neither place has
 * every figure.
 */
export function* toldTotals(type: string, days: BoletaTotals, register: BoletaTotals | undefined): Generator<Parsed> {
  const told = { days, register };
  for (const [told_by, figures] of Object.entries(told)) {
    if (figures === undefined || Object.keys(figures).length === 0) continue;
    yield { total: { group: { document_type: type, told_by }, figures } };
  }
}
