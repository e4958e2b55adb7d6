/** Counts and exact sums by month, direction and currency. Decimals are added as decimals: money is no float. */
import Big from 'big.js';
import type { Row } from '../resource.ts';
import type { FlowChart } from './chart-of.ts';

export interface Flow {
  period: string;
  /** `received`, `issued`, or empty where rows have none. */
  direction: string;
  currency: string;
  count: number;
  /** Plain decimal. */
  amount: string;
}

/** Credit notes take away from what they refer to, though their amounts are positive (SII codes, tax.md). */
const CREDIT_NOTES: ReadonlySet<string> = new Set(['60', '61', '106', '112']);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const amountOf = (row: Row, { amount, isSigned }: FlowChart): Big => {
  const value = Big(text(row[amount]) || '0');
  const isTakenAway = isSigned ? row.direction === 'issued' : CREDIT_NOTES.has(text(row.document_type));
  return isTakenAway ? value.neg() : value;
};

const countOf = (row: Row, { counted }: FlowChart): number => {
  if (counted === null) return 1;
  return typeof row[counted] === 'number' ? row[counted] : 0;
};

export const sumFlows = (chart: FlowChart) => {
  const sums = new Map<string, { period: string; direction: string; currency: string; count: number; amount: Big }>();
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        const [period, direction, currency] = [text(row.period), text(row.direction), text(row.currency)];
        const key = `${period} ${direction} ${currency}`;
        const sum = sums.get(key) ?? { period, direction, currency, count: 0, amount: Big(0) };
        sum.count += countOf(row, chart);
        sum.amount = sum.amount.plus(amountOf(row, chart));
        sums.set(key, sum);
      }
    },
    /** Oldest month first, as a chart is read. */
    result: (): Flow[] =>
      [...sums.values()]
        .map((sum) => ({ ...sum, amount: sum.amount.toFixed() }))
        .sort((a, b) =>
          a.period === b.period ? a.direction.localeCompare(b.direction) : a.period < b.period ? -1 : 1,
        ),
  };
};
