/** Sorts rows by a column. Rows without a value come last in both directions. */
import Big from 'big.js';
import { locale } from '../../text/language.ts';
import type { Row } from '../resource.ts';
import type { Column } from './column.ts';

export interface Sort {
  name: string;
  isDescending: boolean;
}

const WORDS = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });

const isAmount = ({ kind }: Column): boolean => kind === 'money' || kind === 'decimal';

const compare = (column: Column, a: string | number, b: string | number): number => {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return isAmount(column) ? Big(a).cmp(Big(b)) : WORDS.compare(String(a), String(b));
};

const compareRows = (column: Column, a: Row, b: Row): number => {
  const [first, second] = [column.read(a), column.read(b)];
  if (first === null || second === null) return 0;
  const order = compare(column, first, second);
  return order === 0 ? WORDS.compare(column.readSecond?.(a) ?? '', column.readSecond?.(b) ?? '') : order;
};

/** Rows with equal values stay in the order of the API. */
export const sortRows = (rows: readonly Row[], column: Column, isDescending: boolean): Row[] => {
  const present = rows.filter((row) => column.read(row) !== null);
  const sorted = present.toSorted((a, b) => (isDescending ? -1 : 1) * compareRows(column, a, b));
  return [...sorted, ...rows.filter((row) => column.read(row) === null)];
};

/** @param text the value in the page's address: a column's name, with `-` before it if the order is descending */
export const parseSort = (text: string | null): Sort | null =>
  text ? { name: text.replace(/^-/, ''), isDescending: text.startsWith('-') } : null;

/** Returns the next order of a column: ascending, descending, and then the order of the API, which is an empty text. */
export const nextSort = (sort: Sort | null, name: string): string => {
  if (sort?.name !== name) return name;
  return sort.isDescending ? '' : `-${name}`;
};
