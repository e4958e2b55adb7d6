/** Rows as CSV text, for a spreadsheet in Spanish or for a program. Numbers keep the digits that the API sent. */
import Papa from 'papaparse';
import type { Field, Row } from '../resource.ts';

/**
 * `excel` opens directly in a spreadsheet with Chilean settings. `standard` is RFC 4180, with names and values as in
 * the API.
 */
export type CsvFormat = 'excel' | 'standard';
export const CSV_FORMATS: readonly CsvFormat[] = ['excel', 'standard'];

/** Without this mark a spreadsheet reads UTF-8 as the machine's code page, and shows ñ as Ã±. */
const BYTE_ORDER_MARK = '\uFEFF';
const NEWLINE = '\r\n';

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

const SANTIAGO = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'America/Santiago',
  dateStyle: 'short',
  timeStyle: 'medium',
});

const plain = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

const cell = ({ kind }: Field, value: unknown, format: CsvFormat): string => {
  const text = plain(value);
  if (format === 'standard' || text === '') return text;
  if (kind === 'decimal') return text.replace('.', ',');
  return kind === 'instant' ? SANTIAGO.format(new Date(text)) : text;
};

const lines = (rows: readonly (readonly string[])[], format: CsvFormat): string =>
  rows.length === 0
    ? ''
    : Papa.unparse([...rows.map((row) => [...row])], {
        delimiter: format === 'excel' ? ';' : ',',
        newline: NEWLINE,
        escapeFormulae: FORMULA,
      }) + NEWLINE;

/** @param label readable name of a field; the `standard` format uses the API's name */
export const csvHead = (fields: readonly Field[], format: CsvFormat, label: (name: string) => string): string =>
  format === 'excel'
    ? BYTE_ORDER_MARK + lines([fields.map(({ name }) => label(name))], format)
    : lines([fields.map(({ name }) => name)], format);

export const csvRows = (fields: readonly Field[], format: CsvFormat, rows: readonly Row[]): string =>
  lines(
    rows.map((row) => fields.map((field) => cell(field, row[field.name], format).replaceAll(INNER_FORMULA, "$1$2'$3"))),
    format,
  );
