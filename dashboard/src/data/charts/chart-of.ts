/** Decides which charts a scope can have, from the fields of the scope's rows. */
import { SUMMED } from '../amounts.ts';
import type { Resource } from '../resource.ts';

export interface FlowChart {
  kind: 'flows';
  /** Field whose values are summed. */
  amount: string;
  /** True for statements, in which charges have negative amounts and also the direction `issued`. */
  isSigned: boolean;
  /** Field with the number of documents that a row counts; null when each row is one document. */
  counted: string | null;
  /** Field with the day to which the balance after a movement belongs; null if rows have no such field. */
  balanceDay: string | null;
}

export interface BalanceChart {
  kind: 'balances';
}

export type Chart = FlowChart | BalanceChart;

const COUNTED = 'total_documentos';
const BALANCE = 'saldo_contable';
const MOVEMENT_DAY = 'fecha_movimiento';

export const chooseChart = ({ fields }: Resource): Chart | null => {
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
