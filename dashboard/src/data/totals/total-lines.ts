/**
 * Totals of rows by direction, state, account and currency, from the API or from the rows themselves. A line never
 * contains amounts in two currencies, and credit notes are subtracted.
 */
import Big from 'big.js';
import { CREDIT_NOTES } from '../amounts.ts';
import { type ColumnSource, currencyReader } from '../columns/field-column.ts';
import type { Row } from '../resource.ts';

export interface TotalLine {
  /** Values of the grouping fields. */
  group: Readonly<Record<string, string>>;
  /** Null if the rows do not report their currency. */
  currency: string | null;
  rows: number;
  /** Sums by field, as plain decimals. Null if the sum could mix currencies, because they are unknown. */
  sums: Readonly<Record<string, string>> | null;
}

/** A group of the API's totals. */
export interface TotalGroup {
  group: Row;
  rows: number;
  is_subtracted?: boolean;
  sums: Readonly<Record<string, string>>;
}

const GROUPED = ['numero_cuenta', 'direction', 'estado'] as const;
const COUNTS = ['total_documentos', 'num_registros'] as const;
const AMOUNTS = ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount', 'amount', 'monto'] as const;

const present = ({ fields }: ColumnSource, names: readonly string[]): string[] =>
  names.filter((name) => fields.some((field) => field.name === name));

/** Returns the names of the summed fields: counts first, then amounts. */
export const summedFields = (source: ColumnSource): string[] => present(source, [...COUNTS, ...AMOUNTS]);

export const isCount = (name: string): boolean => (COUNTS as readonly string[]).includes(name);

const decimal = (value: unknown): Big => Big(value === null || value === undefined || value === '' ? 0 : String(value));

interface RunningLine extends Pick<TotalLine, 'group' | 'currency'> {
  rows: number;
  /** In the order of the summed fields. */
  sums: Big[];
}

const ZERO = Big(0);

const adder = (source: ColumnSource) => {
  const grouped = present(source, GROUPED);
  const names = summedFields(source);
  const readCurrency = currencyReader(source);
  const lines = new Map<string, RunningLine>();
  return {
    add({ group: values, rows, is_subtracted = false, sums }: Omit<TotalGroup, 'sums'> & { sums: Row }): void {
      const group = Object.fromEntries(grouped.map((name) => [name, String(values[name] ?? '')]));
      const currency = readCurrency(values);
      const key = JSON.stringify([...Object.values(group), currency]);
      const line = lines.get(key) ?? { group, currency, rows: 0, sums: names.map(() => ZERO) };
      lines.set(key, line);
      line.rows += rows;
      line.sums = line.sums.map((sum, at) => {
        const value = decimal(sums[names[at] ?? '']);
        return is_subtracted ? sum.minus(value) : sum.plus(value);
      });
    },
    result: (): TotalLine[] =>
      [...lines]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([, { sums, ...line }]) => ({
          ...line,
          sums: isSummable(line)
            ? Object.fromEntries(names.map((name, at) => [name, sums[at]?.toFixed() ?? '0']))
            : null,
        })),
  };
};

/** Amounts of an unknown currency may be in several, unless they are of one account. */
const isSummable = ({ group, currency }: Pick<TotalLine, 'group' | 'currency'>): boolean =>
  currency !== null || Boolean(group.numero_cuenta);

/** Adds up the groups of the API, which are also by document type. */
export const linesFromGroups = (source: ColumnSource, groups: readonly TotalGroup[]): TotalLine[] => {
  const lines = adder(source);
  for (const group of groups) lines.add(group);
  return lines.result();
};

/** Returns an object that adds up rows, which arrive page by page. */
export const rowAdder = (source: ColumnSource) => {
  const lines = adder(source);
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows)
        lines.add({ group: row, rows: 1, is_subtracted: CREDIT_NOTES.has(String(row.document_type)), sums: row });
    },
    result: lines.result,
  };
};
