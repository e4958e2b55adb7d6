/** Rows as cells of a spreadsheet: texts, numbers and dates, with sums below them. */
import Big from 'big.js';
import { count } from '../../text/format.ts';
import { type Column, cellText } from '../columns/column.ts';
import type { ColumnSource } from '../columns/field-column.ts';
import type { Row } from '../resource.ts';
import { lineWords } from '../totals/line-words.ts';
import type { TotalLine } from '../totals/total-lines.ts';
import { santiagoTime } from './santiago-time.ts';
import { exportTexts } from './texts.ts';
import type { XlsxCell, XlsxSheet } from './xlsx-stream.ts';

/** Longest text of a cell in a spreadsheet. */
const TEXT_MAX = 32_767;
/** Characters that XML cannot contain, and halves of pairs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is meant
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
/** Text that a spreadsheet would read as the code of a character. */
const ESCAPE = /_(?=x[0-9a-f]{4}_)/gi;

const textCell = (text: string): string => {
  const clean = text.toWellFormed().replaceAll('\r\n', '\n').replaceAll(UNWRITABLE, '');
  const cut = clean.length > TEXT_MAX ? `${clean.slice(0, TEXT_MAX - 1).toWellFormed()}…` : clean;
  return cut.replaceAll(ESCAPE, '_x005F_');
};

/** Returns a number, or the text if a spreadsheet could not store all its digits. */
const numberCell = (decimal: string): string | number => {
  const number = Number(decimal);
  return Number.isFinite(number) && Big(decimal).eq(Big(number.toPrecision(15))) ? number : decimal;
};

export const xlsxCell = (column: Column, row: Row): XlsxCell => {
  const value = column.read(row);
  if (value === null || typeof value === 'number') return value;
  if (column.kind === 'money' || column.kind === 'decimal') return numberCell(value);
  if (column.kind === 'month') return new Date(`${value}-01T00:00:00Z`);
  if (column.kind === 'day') return new Date(`${value}T00:00:00Z`);
  if (column.kind === 'instant') return santiagoTime(value).asUtc;
  return textCell(cellText(column, row) ?? '');
};

/** The tax authority counts in whole pesos. */
const moneyFormat = ({ source }: ColumnSource): string => (source === 'tax' ? '#,##0' : '#,##0.00');

const FORMATS: Readonly<Partial<Record<Column['kind'], { numFmt: string; width: number }>>> = {
  day: { numFmt: 'dd-mm-yyyy', width: 12 },
  instant: { numFmt: 'dd-mm-yyyy hh:mm:ss', width: 20 },
  code: { numFmt: '@', width: 16 },
  text: { numFmt: '@', width: 26 },
  month: { numFmt: 'mmm yyyy', width: 11 },
  integer: { numFmt: '#,##0', width: 10 },
};

const AMOUNT_WIDTH = 16;

export const xlsxSheet = (source: ColumnSource, columns: readonly Column[]): XlsxSheet => ({
  name: exportTexts.say('sheet'),
  columns: columns.map(({ head, kind }) => ({
    header: textCell(head),
    ...(FORMATS[kind] ?? { numFmt: kind === 'money' ? moneyFormat(source) : '#,##0.##', width: AMOUNT_WIDTH }),
  })),
});

/** Returns an empty row, and a row for each line of the sums. No line has amounts in two currencies. */
export const sumRows = (
  source: ColumnSource,
  columns: readonly Column[],
  lines: readonly TotalLine[],
): XlsxCell[][] => {
  const rows = lines.map((line) =>
    columns.map(({ name }, at): XlsxCell => {
      if (at === 0) return textCell(sumLabel(line, source));
      const sum = line.sums?.[name];
      return sum === undefined ? null : numberCell(sum);
    }),
  );
  return rows.length === 0 ? [] : [[], ...rows];
};

const sumLabel = (line: TotalLine, { scope }: ColumnSource): string =>
  [
    exportTexts.say('sum', { count: line.rows, number: count(line.rows) }),
    lineWords(line, scope),
    line.currency ?? exportTexts.say('sum.no-currency'),
  ].join(' · ');
