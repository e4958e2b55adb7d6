/** Totals by document type (tax.md §4.2): which types have documents behind them, and how many. */
import { splitRut } from '#shared/domain/rut.ts';
import { type Json, type JsonObject, SourceError } from '../source.ts';

export interface TypeTotal {
  type: string;
  documents: number;
  /** False when the authority shows a total only. */
  hasDetail: boolean;
}

/** Types that the register only ever shows as one line a month (tax.md §6.1, §8.1). */
const MONTHLY_TOTALS = new Set(['35', '38', '39', '41', '47', '48', '919', '924']);
const WITH_DETAIL = new Set(['DET_ELE', 'DET_PAP']);

export const dataRows = (answer: JsonObject, what: string): Json[] => {
  const { data } = answer;
  if (data === null || data === undefined) return [];
  if (!Array.isArray(data)) throw new SourceError('source.unexpected_response', `${what}: data is not a list`);
  return data;
};

export const readSummary = (answer: JsonObject, what: string): TypeTotal[] =>
  dataRows(answer, what).map((row, i) => {
    const fault = (field: string) =>
      new SourceError('source.unexpected_response', `${what}, row ${i + 1}: ${field} cannot be read`);
    if (typeof row !== 'object' || row === null || Array.isArray(row)) throw fault('the row');
    const type = String(row.rsmnTipoDocInteger ?? '').trim();
    if (!/^\d{1,4}$/.test(type)) throw fault('rsmnTipoDocInteger');
    const isListed = WITH_DETAIL.has(
      String(row.dcvTipoIngresoDoc ?? '')
        .trim()
        .toUpperCase(),
    );
    const hasDetail = isListed && row.rsmnLink !== false && String(row.rsmnLink) !== 'false';
    const documents = Number(row.rsmnTotDoc ?? (hasDetail ? Number.NaN : 0));
    if (!Number.isSafeInteger(documents) || documents < 0) throw fault('rsmnTotDoc');
    return { type, documents, hasDetail };
  });

/**
 * Documents that should have rows and are offered as a total only. One client saw this for "too many documents"
 * (tax.md §4.2, R): never silently less.
 */
export const withheld = (totals: TypeTotal[]): TypeTotal[] =>
  totals.filter((total) => !total.hasDetail && total.documents > 0 && !MONTHLY_TOTALS.has(total.type));

/** The register that was answered must be the one that was asked for. */
export const checkCompany = (answer: JsonObject, company: string): void => {
  const header = answer.dataCabecera as JsonObject | null | undefined;
  const echoed = header?.dcvRutEmisor;
  if (echoed === null || echoed === undefined || String(echoed).trim() === '') return;
  if (String(echoed).trim().replace(/^0+/, '') !== splitRut(company).body) {
    throw new SourceError('source.wrong_company', 'getResumen: the register of another company was answered');
  }
};
