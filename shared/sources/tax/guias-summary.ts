/** Totals of issued or received documents by type and section (tax.md §7.2), and which of them are guides. */
import { splitRut } from '#shared/domain/rut.ts';
import { type JsonObject, SourceError } from '../source.ts';
import { isObject } from './envelope.ts';

/** Dispatch guides, electronic and paper; the latter were never seen here (§7.2). */
const GUIDE_TYPES = new Set(['52', '50']);

export interface GuideTotal {
  type: string;
  /** As the summary says it: copied into the request of the detail (§7.1). */
  refNCD: string;
  guides: number;
}

const unreadable = (what: string, row: number, field: string): SourceError =>
  new SourceError('source.unexpected_response', `${what}, row ${row}: ${field} cannot be read`);

/**
 * A type can come once a section (§7.2), but a detail is asked by type and `refNCD` alone: sections that would be the
 * same request count as one.
 */
export const readGuideTotals = (answer: JsonObject, what: string): GuideTotal[] => {
  const { data } = answer;
  if (data === null || (Array.isArray(data) && data.length === 0)) return [];
  if (!isObject(data)) throw unreadable(what, 0, 'data');
  const rows = data.resumenDte;
  if (rows === null) return [];
  if (!Array.isArray(rows)) throw unreadable(what, 0, 'resumenDte');
  const totals = new Map<string, GuideTotal>();
  for (const [at, row] of rows.entries()) {
    if (!isObject(row)) throw unreadable(what, at + 1, 'the row');
    const type = String(row.tipoDoc ?? '').trim();
    if (!/^\d{1,4}$/.test(type)) throw unreadable(what, at + 1, 'tipoDoc');
    if (!GUIDE_TYPES.has(type)) continue;
    const guides = Number(row.totalDoc ?? Number.NaN);
    if (!Number.isSafeInteger(guides) || guides < 0) throw unreadable(what, at + 1, 'totalDoc');
    const refNCD = String(row.refNCD ?? 0).trim();
    const known = totals.get(`${type}/${refNCD}`);
    if (known) known.guides += guides;
    else totals.set(`${type}/${refNCD}`, { type, refNCD, guides });
  }
  return [...totals.values()].filter(({ guides }) => guides > 0);
};

/** Rows echo whose documents they are: they must be of the company that was asked for. */
export const checkGuideCompany = (answer: JsonObject, company: string): void => {
  const rows = isObject(answer.data) && Array.isArray(answer.data.resumenDte) ? answer.data.resumenDte : [];
  const { body } = splitRut(company);
  for (const row of rows) {
    const echoed = isObject(row) ? String(row.rut ?? '').trim() : '';
    if (echoed !== '' && echoed.replace(/^0+/, '') !== body)
      throw new SourceError('source.wrong_company', 'getResumen: documents of another company were answered');
  }
};
