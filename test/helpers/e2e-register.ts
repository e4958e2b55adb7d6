/** Counts and exact sums of the served rows, in the form of the institution's ledger. */
import Big from 'big.js';
import type { PeriodTally, TaxTally } from '#shared/sources/tax/sandbox/ledger.ts';
import type { Row } from './e2e-integrator.ts';

const AMOUNTS = ['net_amount', 'exempt_amount', 'vat_amount', 'total_amount'] as const;

const tally = (rows: readonly Row[]): TaxTally => {
  const sum = (amount: string): string => rows.reduce((total, row) => total.plus(row[amount] ?? 0), Big(0)).toFixed();
  return {
    count: rows.length,
    sums: Object.fromEntries(AMOUNTS.map((amount) => [amount, sum(amount)])) as TaxTally['sums'],
  };
};

const tallyOf = (rows: readonly Row[]): PeriodTally => ({
  ...tally(rows),
  by: Object.fromEntries(
    [...Map.groupBy(rows, ({ direction, estado }) => `${direction}.${estado}`)].map(([book, list]) => [
      book,
      tally(list),
    ]),
  ),
});

/** The served rows, for exactly the periods that the ledger names. */
export const asLedger = (rows: readonly Row[], periods: readonly string[]): Record<string, PeriodTally> => {
  const byPeriod = Map.groupBy(rows, ({ period }) => period);
  return Object.fromEntries(periods.map((period) => [period, tallyOf(byPeriod.get(period) ?? [])]));
};

export const pick = <T>(record: Readonly<Record<string, T>>, keys: readonly string[]): Record<string, T | undefined> =>
  Object.fromEntries(keys.map((key) => [key, record[key]]));
