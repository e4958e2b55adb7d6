/**
 * Counts rows and sums their amounts by month, direction, currency and account. Amounts are added as decimals, never as
 * floats.
 */
import Big from 'big.js';
import { CREDIT_NOTES } from '../amounts.ts';
import type { Row } from '../resource.ts';
import type { FlowChart } from './chart-of.ts';

export interface Flow {
  period: string;
  /** `received`, `issued`, or empty when rows have no direction. */
  direction: string;
  currency: string;
  /** Empty when rows have no account. */
  account: string;
  count: number;
  /** The sum as a plain decimal. */
  amount: string;
}

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

const inOrder = (a: Flow, b: Flow): number => {
  if (a.period !== b.period) return a.period < b.period ? -1 : 1;
  return a.direction.localeCompare(b.direction) || a.account.localeCompare(b.account);
};

const adder = () => {
  const sums = new Map<string, Flow>();
  return {
    add(flow: Omit<Flow, 'amount'> & { amount: Big | string }): void {
      const key = [flow.period, flow.direction, flow.currency, flow.account].join(' ');
      const { count, amount } = sums.get(key) ?? { count: 0, amount: '0' };
      sums.set(key, { ...flow, count: count + flow.count, amount: Big(amount).plus(flow.amount).toFixed() });
    },
    /** Returns the sums with the oldest month first, as a chart needs them. */
    result: (): Flow[] => [...sums.values()].sort(inOrder),
  };
};

export const sumFlows = (chart: FlowChart) => {
  const sums = adder();
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        sums.add({
          period: text(row.period),
          direction: text(row.direction),
          currency: text(row.currency),
          account: text(row.numero_cuenta),
          count: countOf(row, chart),
          amount: amountOf(row, chart),
        });
      }
    },
    result: sums.result,
  };
};

/** Returns the sums over all accounts. The caller must make sure that all accounts have the same currency. */
export const allAccounts = (flows: readonly Flow[]): Flow[] => {
  const sums = adder();
  for (const flow of flows) sums.add({ ...flow, account: '' });
  return sums.result();
};
