/** What the bank shows now, as rows of our scopes: for comparison with what a sync stored. Exact decimals. */
import { Big } from 'big.js';
import { addMonths, periodsBetween } from '#shared/values/dates.ts';
import { companyBatches } from './batch-routes.ts';
import { minusMonths } from './calendar.ts';
import { balancesOf } from './company-routes.ts';
import { plain } from './money.ts';
import type { Account } from './movement.ts';
import { publishedPeriods } from './published.ts';
import type { State } from './state.ts';
import { DEPTH_MONTHS, transfersOf } from './transfer-routes.ts';

export interface Tally {
  count: number;
  sums: Record<string, string>;
}

export interface PeriodTally extends Tally {
  by?: Record<string, Tally>;
}

export type Ledger = Record<'transfers' | 'balances' | 'movements' | 'nominas', Record<string, PeriodTally>>;

type Amounts = Record<string, string | null>;

const tally = (rows: readonly Amounts[], fields: readonly string[]): Tally => ({
  count: rows.length,
  sums: Object.fromEntries(
    fields.map((field) => [field, rows.reduce((sum, row) => sum.plus(row[field] ?? 0), new Big(0)).toFixed()]),
  ),
});

const bySide = (rows: readonly (Amounts & { side: string })[], fields: readonly string[]): PeriodTally => ({
  ...tally(rows, fields),
  by: Object.fromEntries(
    ['received', 'issued'].map((side) => [
      side,
      tally(
        rows.filter((row) => row.side === side),
        fields,
      ),
    ]),
  ),
});

const movements = (state: State, accounts: readonly Account[], period: string): PeriodTally =>
  bySide(
    accounts.flatMap((account) => {
      let balance = state.books.opening(account, period);
      return state.books.movements(account, period).map(({ minor }) => {
        balance += minor;
        const amount = plain(minor, account.currency);
        return { side: minor < 0 ? 'issued' : 'received', amount, saldo_contable: plain(balance, account.currency) };
      });
    }),
    ['amount', 'saldo_contable'],
  );

const transfers = (state: State, accounts: readonly Account[], period: string): PeriodTally => {
  const oldest = minusMonths(state.today(), DEPTH_MONTHS);
  return bySide(
    accounts.flatMap((account) =>
      transfersOf(state, account, period)
        .filter(({ state: end, movement }) => end === 'ABONADA' && movement.day >= oldest)
        .map(({ movement: { minor } }) => ({
          side: minor < 0 ? 'issued' : 'received',
          amount: plain(Math.abs(minor), account.currency),
        })),
    ),
    ['amount'],
  );
};

const nominas = (state: State, company: string, period: string): PeriodTally => {
  const batches = companyBatches(state, company, period);
  const pesos = (amount: number): Amounts => ({ monto: String(amount) });
  const payments = batches.flatMap((batch) => batch.payments);
  return {
    ...tally(
      batches.map((batch) => pesos(batch.payments.reduce((sum, payment) => sum + payment.pesos, 0))),
      ['monto'],
    ),
    by: {
      pagos: tally(
        payments.map((payment) => pesos(payment.pesos)),
        ['monto'],
      ),
    },
  };
};

const balances = (state: State, accounts: readonly Account[]): PeriodTally =>
  tally(
    accounts.map((account) => {
      const { contable, disponible, provisorio } = balancesOf({ state }, account);
      const text = (minor: number): string => plain(minor, account.currency);
      return {
        saldo_contable: text(contable),
        saldo_disponible: text(disponible),
        saldo_provisorio: account.currency === 'USD' ? null : text(provisorio),
      };
    }),
    ['saldo_contable', 'saldo_disponible', 'saldo_provisorio'],
  );

export const ledgerOf = (state: State, company: string, only?: string): Ledger => {
  const accounts = state.books.accountsOf(company);
  const current = state.currentPeriod();
  const isWanted = (period: string): boolean => only === undefined || only === period;
  const each = (periods: readonly string[], of: (period: string) => PeriodTally) =>
    Object.fromEntries(periods.filter(isWanted).map((period) => [period, of(period)]));
  const months = (depth: number): string[] => periodsBetween(addMonths(current, -depth), current).toReversed();
  return {
    transfers: each(months(DEPTH_MONTHS), (period) => transfers(state, accounts, period)),
    balances: { now: balances(state, accounts) },
    movements: each([current, ...publishedPeriods(state.today())], (period) => movements(state, accounts, period)),
    nominas: each(months(24), (period) => nominas(state, company, period)),
  };
};
