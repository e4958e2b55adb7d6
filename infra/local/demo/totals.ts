/** Counts and exact sums by period, and their comparison with what the institution itself says it holds. */
import Big from 'big.js';
import type { Row } from './steps.ts';

const AMOUNTS = ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount'] as const;
type Amount = (typeof AMOUNTS)[number];

export interface Totals {
  count: number;
  sums: Record<Amount, Big>;
}

export interface LedgerEntry {
  count: number;
  sums: Record<Amount, string>;
}

const none = (): Totals => ({
  count: 0,
  sums: { net_amount: Big(0), exempt_amount: Big(0), vat_amount: Big(0), total_amount: Big(0) },
});

export const totalsByPeriod = (rows: readonly Row[]): Map<string, Totals> => {
  const totals = new Map<string, Totals>();
  for (const row of rows) {
    const period = row.period ?? '';
    const sum = totals.get(period) ?? none();
    sum.count++;
    for (const amount of AMOUNTS) sum.sums[amount] = sum.sums[amount].plus(row[amount] ?? 0);
    totals.set(period, sum);
  }
  return totals;
};

export const printTotals = (totals: Map<string, Totals>): void => {
  console.table(
    Object.fromEntries(
      [...totals].map(([period, { count, sums }]) => [
        period,
        { documents: count, ...Object.fromEntries(AMOUNTS.map((amount) => [amount, sums[amount].toFixed()])) },
      ]),
    ),
  );
};

/** Differences in words; none is what everybody wants to see. */
export const compareWithLedger = (
  totals: Map<string, Totals>,
  ledger: Readonly<Record<string, LedgerEntry>>,
  periods: ReadonlySet<string>,
): string[] =>
  [...periods].flatMap((period) => {
    const ours = totals.get(period) ?? none();
    const theirs = ledger[period];
    const count = theirs?.count ?? 0;
    if (ours.count !== count) return [`ledger         ${period}: ${ours.count} documents here, ${count} there`];
    return AMOUNTS.filter((amount) => !ours.sums[amount].eq(theirs?.sums[amount] ?? '0')).map(
      (amount) =>
        `ledger         ${period}: ${amount} ${ours.sums[amount].toFixed()} here, ${theirs?.sums[amount]} there`,
    );
  });
