/** Rows as CSV text, for a spreadsheet or for a program. Numbers keep the digits that the API sent. */
import Papa from 'papaparse';
import { language } from '../../text/language.ts';
import { type Column, cellText } from '../columns/column.ts';
import type { Field, Row } from '../resource.ts';
import { santiagoTime } from './santiago-time.ts';

/**
 * `excel` opens directly in a spreadsheet and has the words of the table. `standard` is RFC 4180, with names and values
 * as in the API.
 */
export type CsvFormat = 'excel' | 'standard';

export interface CsvColumn {
  head: string;
  read(row: Row): string;
}

/** Without this mark a spreadsheet reads UTF-8 as the machine's code page, and shows ñ as Ã±. */
const BYTE_ORDER_MARK = '\uFEFF';
const NEWLINE = '\r\n';
/** A spreadsheet with Chilean settings expects decimal commas, and semicolons between cells. */
const HAS_COMMAS = language === 'es';

/**
 * Matches text that a spreadsheet would interpret as a formula (OWASP, CSV injection), including full-width characters
 * and invisible characters before them, which a spreadsheet may leave out.
 * A plain signed number is not a formula and gets no apostrophe, because an apostrophe would turn the number into text.
 */
const FORMULA = /^(?!-?\d+([.,]\d+)?$)[\s\p{C}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n＝＋－＠]/u;

/**
 * Matches a formula inside a cell, after a character that a program may interpret as the end of the cell or line: the
 * other delimiter, a tab, a line break. A signed number (`12, -5 kg`) is allowed if the rest of its cell cannot
 * calculate or call a function.
 */
const INNER_FORMULA =
  /([;,\t\r\n])((?:[^\S\t\r\n]|"|(?![\t\r\n])[\p{C}\p{Default_Ignorable_Code_Point}])*)(?![+-]\d[^+\-*/^&|!(=<>@\r\n]{0,60}?(?:\1|[\r\n]|$))([=+\-@＝＋－＠])/gu;

const DIGITS = /^\d+$/;

/** Returns the text with an apostrophe before everything that a spreadsheet could calculate. */
const harmless = (text: string): string => {
  const inner = text.replaceAll(INNER_FORMULA, "$1$2'$3");
  return FORMULA.test(inner) ? `'${inner}` : inner;
};

const plain = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/**
 * Returns digits as a formula of one text. A spreadsheet would read them as a number and lose zeros at the start and
 * digits at the end. The formula can have no other content.
 */
const digitsAsText = (digits: string): string => `="${digits}"`;

const wordedCell = (column: Column, row: Row): string => {
  const value = column.read(row);
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  if (column.kind === 'code' && DIGITS.test(value)) return digitsAsText(value);
  if (column.kind === 'money' || column.kind === 'decimal') return HAS_COMMAS ? value.replace('.', ',') : value;
  return harmless(column.kind === 'instant' ? santiagoTime(value).text : (cellText(column, row) ?? ''));
};

/** Returns the columns of the format `excel`. */
export const wordColumns = (columns: readonly Column[]): CsvColumn[] =>
  columns.map((column) => ({ head: harmless(column.head), read: (row) => wordedCell(column, row) }));

/** Returns the columns of the format `standard`. */
export const apiColumns = (fields: readonly Field[]): CsvColumn[] =>
  fields.map(({ name }) => ({ head: name, read: (row) => harmless(plain(row[name])) }));

const lines = (rows: string[][], format: CsvFormat): string =>
  rows.length === 0
    ? ''
    : Papa.unparse(rows, { delimiter: format === 'excel' && HAS_COMMAS ? ';' : ',', newline: NEWLINE }) + NEWLINE;

export const csvHead = (columns: readonly CsvColumn[], format: CsvFormat): string =>
  (format === 'excel' ? BYTE_ORDER_MARK : '') + lines([columns.map(({ head }) => head)], format);

export const csvRows = (columns: readonly CsvColumn[], format: CsvFormat, rows: readonly Row[]): string =>
  lines(
    rows.map((row) => columns.map((column) => column.read(row))),
    format,
  );
