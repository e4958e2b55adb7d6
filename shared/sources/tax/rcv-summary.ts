/** Totals by document type (tax.md §4.2): the number of documents and their amounts. */
import { splitRut } from '#shared/values/rut.ts';
import { isObject } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type Json, type JsonObject, SourceError } from '../source.ts';
import type { FigureTotals } from '../truth/totals.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { readAnswerCode } from './kept.ts';
import { SUMMARY_KEYS } from './rcv-keys.ts';
import { isBlank, readAmount } from './values.ts';

/** Names of the figures in messages. */
export type SummaryFigure = 'net' | 'VAT' | 'exempt' | 'total';

export const byFigure = <Value>(read: (figure: SummaryFigure) => Value): Record<SummaryFigure, Value> => ({
  net: read('net'),
  VAT: read('VAT'),
  exempt: read('exempt'),
  total: read('total'),
});

/** Maps each figure to its field in rows. */
const FIELDS: Readonly<Record<SummaryFigure, string>> = {
  net: 'net_amount',
  VAT: 'vat_amount',
  exempt: 'exempt_amount',
  total: 'total_amount',
};

export const toldFigures = (amounts: FigureTotals<SummaryFigure>): Record<string, string | null> =>
  Object.fromEntries(Object.entries(amounts).map(([figure, amount]) => [FIELDS[figure as SummaryFigure], amount]));

const AMOUNTS: Readonly<Record<SummaryFigure, string>> = {
  net: 'rsmnMntNeto',
  VAT: 'rsmnMntIVA',
  exempt: 'rsmnMntExe',
  total: 'rsmnMntTotal',
};

export interface TypeTotal {
  type: string;
  documents: number;
  /** False if the authority shows only a total and no documents. */
  hasDetail: boolean;
  /** True for electronic documents, whose date decides their month. */
  isElectronic: boolean;
  amounts: FigureTotals<SummaryFigure>;
}

/** Types that the register shows only as one line per month (tax.md §6.1, §8.1). */
const MONTHLY_TOTALS = new Set(['35', '38', '39', '41', '47', '48', '919', '924']);
const TOTAL_ONLY = 'RESUMEN';
const LINKS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

/** Returns the data of an answer. An answer without data has no rows (§4.3). */
export const dataRows = (answer: JsonObject, what: string): Json[] => {
  const { data } = answer;
  if (data === null || data === undefined) return [];
  if (!Array.isArray(data)) throw unexpected(what, 'data is not a list');
  return data;
};

/**
 * Returns the lines of the totals. The portal says "nothing" by its own code or by an empty list. Code 0 without a list
 * is an unknown answer (§4.2).
 */
const totalRows = (answer: JsonObject, what: string): Json[] => {
  const rows = dataRows(answer, what);
  if (!Array.isArray(answer.data) && readAnswerCode(answer) === '0')
    throw unexpected(what, 'success without a list of totals');
  return rows;
};

export const readSummary = (answer: JsonObject, what: string, watch: KeyWatch = watchKeys()): TypeTotal[] => {
  const totals = readTotals(answer, what, watch);
  // Each document type has one line, so a duplicate means that another type is missing.
  if (new Set(totals.map(({ type }) => type)).size < totals.length) throw unexpected(what, 'a type comes twice');
  if (totals.length === 0 && (toldCount(answer) ?? 0) > 0) throw unexpected(what, 'documents are counted, and no type');
  return totals;
};

const toldCount = ({ totDocRes }: JsonObject): number | null =>
  typeof totDocRes === 'number' && Number.isSafeInteger(totDocRes) ? totDocRes : null;

/**
 * Returns the answer's own count if its lines do not add up to it, which means that a type is missing; otherwise null.
 * No public source shows whether the count is of documents, of documents with monthly totals, or of lines (§4.2), so
 * each of the three is accepted.
 */
export const missedCount = (answer: JsonObject, totals: readonly TypeTotal[]): number | null => {
  const told = toldCount(answer);
  const sum = (counted: readonly TypeTotal[]) => counted.reduce((all, { documents }) => all + documents, 0);
  const seen = sum(totals.filter((total) => !isMonthlyTotal(total)));
  return told === null || [seen, sum(totals), totals.length].includes(told) ? null : told;
};

const readTotals = (answer: JsonObject, what: string, watch: KeyWatch): TypeTotal[] =>
  totalRows(answer, what).map((row, i) => {
    const place = `${what}, row ${i + 1}`;
    const fault = (field: string) => unexpected(place, `${field} cannot be read`);
    if (!isObject(row)) throw fault('the row');
    watch.row((key) => row[key], SUMMARY_KEYS, place, isBlank);
    const type = String(row.rsmnTipoDocInteger ?? '').trim();
    if (!/^[1-9]\d{0,3}$/.test(type)) throw fault('rsmnTipoDocInteger');
    const hasDetail = hasDetailOf(row, type, fault);
    const documents = Number(row.rsmnTotDoc ?? (hasDetail ? Number.NaN : 0));
    if (!Number.isSafeInteger(documents) || documents < 0) throw fault('rsmnTotDoc');
    // If a total has amounts but no documents, the number of documents is wrong.
    if (hasDetail && documents === 0 && !isZero(row.rsmnMntTotal)) throw fault('rsmnTotDoc');
    const amounts = byFigure((figure) => {
      const field = AMOUNTS[figure];
      if (row[field] === undefined || documents === 0) return null;
      if (isBlank(row[field])) {
        if (hasDetail) throw fault(field);
        return null;
      }
      return readAmount(row[field], field, { answerKey: what, row: i + 1 });
    });
    return { type, documents, hasDetail, isElectronic: kindOf(row) === 'DET_ELE', amounts };
  });

const isZero = (value: Json | undefined): boolean => isBlank(value) || Number(value) === 0;

const kindOf = (row: JsonObject): string =>
  String(row.dcvTipoIngresoDoc ?? '')
    .trim()
    .toUpperCase();

/**
 * True if the documents of a type can be requested. A type with an unknown `dcvTipoIngresoDoc` is also requested,
 * because unknown does not mean empty.
 */
const hasDetailOf = (row: JsonObject, type: string, fault: (field: string) => SourceError): boolean => {
  const link = LINKS.get(String(row.rsmnLink));
  if (link === undefined) throw fault('rsmnLink');
  const kind = kindOf(row);
  if (kind === '') throw fault('dcvTipoIngresoDoc');
  return link && kind !== TOTAL_ONLY && !MONTHLY_TOTALS.has(type);
};

/**
 * Returns the types with documents that should have rows but are shown only as a total. One client saw this for "too
 * many documents" (tax.md §4.2, R); it is always reported.
 */
export const withheld = (totals: TypeTotal[]): TypeTotal[] =>
  totals.filter((total) => !total.hasDetail && total.documents > 0 && !isMonthlyTotal(total));

/** True for types that are listed but never have rows. */
export const isMonthlyTotal = ({ type }: TypeTotal): boolean => MONTHLY_TOTALS.has(type);

export interface AskedRegister {
  company: string;
  /** Month in the form AAAAMM. */
  month: string;
  operation: string;
}

/** Throws when the answer is not about the requested register. A field that the header lacks is not checked. */
export const checkHeader = (answer: JsonObject, asked: AskedRegister, what: string): void => {
  const header = answer.dataCabecera;
  if (!isObject(header)) return;
  const { dcvRutEmisor: rut, dcvPtributario: month, dcvOperacion: operation } = header;
  if (!isBlank(rut) && String(rut).trim().replace(/^0+/, '') !== splitRut(asked.company).body)
    throw new SourceError('source.wrong_company', `${what}: the register of another company was answered`);
  if (!isBlank(month) && String(month).replace('-', '').trim() !== asked.month)
    throw unexpected(what, 'the register of another month was answered');
  if (!isBlank(operation) && String(operation).trim().toUpperCase() !== asked.operation)
    throw unexpected(what, 'the other side of the register was answered');
};
