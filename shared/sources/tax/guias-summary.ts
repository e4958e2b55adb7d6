/**
 * Totals of issued or received documents by document type and section (tax.md §7.2). Only the totals of guides are
 * used.
 */
import { Big } from 'big.js';
import { splitRut } from '#shared/values/rut.ts';
import { isObject } from '../parsing/bodies.ts';
import { unexpected } from '../parsing/results.ts';
import { type Json, type JsonObject, SourceError } from '../source.ts';
import type { FigureTotals } from '../truth/totals.ts';
import { type KeyWatch, watchKeys } from '../truth/watch-keys.ts';
import { GUIDE_TOTAL_KEYS } from './guias-keys.ts';
import { readAnswerCode } from './kept.ts';
import type { CompanyMonth } from './rcv-request.ts';
import { byFigure, type SummaryFigure } from './rcv-summary.ts';
import { isBlank, readAmount } from './values.ts';

/** Types of dispatch guides: electronic (52) and paper (50). No public source has seen type 50 in this app (§7.2). */
const GUIDE_TYPES = new Set(['52', '50']);

export interface GuideTotal {
  type: string;
  /** Value from the summary that the request of the detail must repeat (§7.1). */
  refNCD: string;
  guides: number;
  amounts: FigureTotals<SummaryFigure>;
}

const AMOUNTS: Readonly<Record<SummaryFigure, string>> = {
  net: 'mntNeto',
  VAT: 'mntIVA',
  exempt: 'mntExento',
  total: 'mntTotal',
};

/**
 * Returns the lines of the totals. The app says "nothing" by code 2, or by code 0 with an empty list (§7.4). Code 0
 * without a list is an unknown answer.
 */
const totalRows = (answer: JsonObject, what: string): Json[] => {
  const rows = isObject(answer.data) ? answer.data.resumenDte : undefined;
  const isNothing = readAnswerCode(answer) === '2';
  if (!Array.isArray(rows) && !isNothing) throw unexpected(what, 'success without a list of totals');
  if (!Array.isArray(rows)) return [];
  if (isNothing && rows.length > 0) throw unexpected(what, 'says that there is nothing, but contains totals');
  return rows;
};

/** Throws when the totals are of another company or month. */
const checkOwner = (row: JsonObject, { company, period }: CompanyMonth, place: string): void => {
  const { rut, periodo } = row;
  if (!isBlank(rut) && String(rut).trim().replace(/^0+/, '') !== splitRut(company).body)
    throw new SourceError('source.wrong_company', `${place}: documents of another company were answered`);
  if (!isBlank(periodo) && String(periodo).trim() !== period)
    throw unexpected(place, 'the totals of another month were answered');
};

/**
 * Returns the totals of guides. A document type can occur once per section (§7.2), but a detail is requested only by
 * type and `refNCD`, so sections with equal type and `refNCD` are merged.
 */
export const readGuideTotals = (
  answer: JsonObject,
  month: CompanyMonth,
  what: string,
  watch: KeyWatch = watchKeys(),
): GuideTotal[] => {
  const totals = new Map<string, GuideTotal>();
  const sections = new Set<string>();
  for (const [at, row] of totalRows(answer, what).entries()) {
    const place = `${what}, row ${at + 1}`;
    if (!isObject(row)) throw unexpected(place, 'is not an object');
    checkOwner(row, month, place);
    const type = String(row.tipoDoc ?? '').trim();
    if (!/^\d{1,4}$/.test(type)) throw unexpected(place, 'tipoDoc cannot be read');
    const total = GUIDE_TYPES.has(type) ? readTotal(row, type, place, watch) : undefined;
    const key = `${type}/${total?.refNCD ?? row.refNCD}`;
    const section = `${key}/${row.seccion}`;
    if (sections.has(section)) throw unexpected(place, 'a type comes twice in one section');
    sections.add(section);
    if (total) totals.set(key, togetherWith(totals.get(key), total));
  }
  return [...totals.values()].filter(({ guides }) => guides > 0);
};

const readTotal = (row: JsonObject, type: string, place: string, watch: KeyWatch): GuideTotal => {
  watch.row((key) => row[key], GUIDE_TOTAL_KEYS, place, isBlank);
  const guides = Number(row.totalDoc ?? Number.NaN);
  if (!Number.isSafeInteger(guides) || guides < 0) throw unexpected(place, 'totalDoc cannot be read');
  const amounts = byFigure((figure) => {
    const value = row[AMOUNTS[figure]];
    return isBlank(value) ? null : readAmount(value, AMOUNTS[figure], { answerKey: place, row: 0 });
  });
  // If a total has amounts but no documents, the number of documents is wrong.
  if (guides === 0 && Number(amounts.total ?? 0) !== 0) throw unexpected(place, 'totalDoc cannot be read');
  return { type, refNCD: String(row.refNCD ?? 0).trim(), guides, amounts };
};

const togetherWith = (known: GuideTotal | undefined, more: GuideTotal): GuideTotal =>
  known ? together(known, more) : more;

/** Adds two totals. If either total lacks a figure, this figure of the sum is unknown. */
export const together = (known: GuideTotal, more: GuideTotal): GuideTotal => {
  const amounts = byFigure((figure) => {
    const [a, b] = [known.amounts[figure], more.amounts[figure]];
    return a === null || b === null ? null : Big(a).plus(b).toFixed();
  });
  return { ...known, guides: known.guides + more.guides, amounts };
};
