/** Decides which charts a scope's rows can have, by their fields. */
import { SUMMED } from '../amounts.ts';
import type { Resource } from '../resource.ts';

export interface FlowChart {
  kind: 'flows';
  /** Field to sum. */
  amount: string;
  /** Statements sign their amounts: charges are negative, in addition to `direction`. */
  isSigned: boolean;
  /** Field with the number of documents per row; null when a row is one document. */
  counted: string | null;
  /** Field with the day of the balance after the movement, if rows have one. */
  balanceDay: string | null;
}

export interface BalanceChart {
  kind: 'balances';
}

export type Chart = FlowChart | BalanceChart;

const COUNTED = 'total_documentos';
const BALANCE = 'saldo_contable';
const MOVEMENT_DAY = 'fecha_movimiento';

export const chartOf = ({ fields }: Resource): Chart | null => {
  const names = new Set(fields.map(({ name }) => name));
  if (names.has(BALANCE) && names.has('observed_at')) return { kind: 'balances' };
  const amount = SUMMED.find((name) => names.has(name));
  if (amount === undefined || !names.has('period')) return null;
  const hasBalance = names.has(BALANCE) && names.has(MOVEMENT_DAY);
  return {
    kind: 'flows',
    amount,
    isSigned: hasBalance,
    counted: names.has(COUNTED) ? COUNTED : null,
    balanceDay: hasBalance ? MOVEMENT_DAY : null,
  };
};
