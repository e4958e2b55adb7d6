/** A column of a table and of an exported file, and the text of its cells. */
import { count, instant, money, moneyIn } from '../../text/format.ts';
import { month } from '../../text/month.ts';
import type { Row } from '../resource.ts';
import { plainDay } from '../shown-value.ts';
import { dataTexts } from '../texts.ts';

/** A `code` is a number that is not counted with, such as a folio or an account. `month`, `day`, `instant`: ISO text. */
export type ColumnKind = 'text' | 'code' | 'month' | 'day' | 'instant' | 'money' | 'decimal' | 'integer';

export interface Column {
  name: string;
  head: string;
  kind: ColumnKind;
  /** Returns the value that is shown, compared and exported; null if the row has no value. */
  read(row: Row): string | number | null;
  /** Returns the second line of the cell on the page. */
  readSecond?(row: Row): string | null;
  /** Returns the currency of an amount; null if it is unknown. */
  readCurrency?(row: Row): string | null;
}

/** Formats an amount. The currency is shown if it is not the peso, such as `USD 1.234,50`, or if it is unknown. */
export const amountText = (amount: string, currency: string | null): string => {
  if (currency === null) return dataTexts.say('amount.unknown', { amount: money(amount) });
  return moneyIn(amount, currency);
};

/** Returns the first line of a cell; null if the row has no value. */
export const cellText = (column: Column, row: Row): string | null => {
  const value = column.read(row);
  if (value === null) return null;
  if (typeof value === 'number') return count(value);
  switch (column.kind) {
    case 'money':
      return amountText(value, column.readCurrency?.(row) ?? null);
    case 'decimal':
      return money(value);
    case 'month':
      return month(value);
    case 'day':
      return plainDay(value);
    case 'instant':
      return instant(value);
    default:
      return value;
  }
};

export const isRightAligned = ({ kind }: Column): boolean =>
  kind === 'money' || kind === 'decimal' || kind === 'integer';
