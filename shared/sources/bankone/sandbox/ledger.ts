/**
 * The bank's current data as rows of our scopes, with exact decimals. It is compared with the rows that a sync
 * stored.
 */
import { addMonths, periodsBetween } from '#shared/values/dates.ts';
import { addMonthsTo } from '../../sandbox-kit/calendar.ts';
import { type Tally, tally } from '../../sandbox-kit/tally.ts';
import { companyBatches } from './batch-routes.ts';
import { computeBalances } from './company-routes.ts';
import type { SandboxAccount } from './movement.ts';
import { publishedPeriods } from './published.ts';
import type { State } from './state.ts';
import { DEPTH_MONTHS, listTransfers } from './transfer-routes.ts';

export type { Tally } from '../../sandbox-kit/tally.ts';

export interface PeriodTally extends Tally {
  by?: Record<string, Tally>;
}

export type Ledger = Record<'transfers' | 'balances' | 'movements' | 'nominas', Record<string, PeriodTally>>;

/** Converts minor units of the account to hundredths, which are the common unit for sums of pesos and dollars. */
const hundredths = (minor: number, { currency }: SandboxAccount): number => (currency === 'CLP' ? minor * 100 : minor);

type MovedSums = Record<'minor' | 'amount' | 'balance', number>;

const bySide = (rows: readonly MovedSums[], amounts: Record<string, (row: MovedSums) => number>): PeriodTally => ({
  ...tally(rows, amounts, 2),
  by: {
    received: tally(
      rows.filter(({ minor }) => minor >= 0),
      amounts,
      2,
    ),
    issued: tally(
      rows.filter(({ minor }) => minor < 0),
      amounts,
      2,
    ),
  },
});

const movements = (state: State, accounts: readonly SandboxAccount[], period: string): PeriodTally => {
  const rows = accounts.flatMap((account) => {
    let balance = state.books.opening(account, period);
    return state.books.movements(account, period).map(({ minor }) => {
      balance += minor;
      return { minor, amount: hundredths(minor, account), balance: hundredths(balance, account) };
    });
  });
  return bySide(rows, { amount: ({ amount }) => amount, saldo_contable: ({ balance }) => balance });
};

const transfers = (state: State, accounts: readonly SandboxAccount[], period: string): PeriodTally => {
  const oldest = addMonthsTo(state.today(), -DEPTH_MONTHS);
  const rows = accounts.flatMap((account) =>
    listTransfers(state, account, period)
      .filter(({ state: end, movement }) => end === 'ABONADA' && movement.day >= oldest)
      .map(({ movement: { minor } }) => ({ minor, amount: hundredths(Math.abs(minor), account), balance: 0 })),
  );
  return bySide(rows, { amount: ({ amount }) => amount });
};

const nominas = (state: State, company: string, period: string): PeriodTally => {
  const batches = companyBatches(state, company, period).map(({ payments }) => payments);
  const sum = (payments: (typeof batches)[number]): number => payments.reduce((total, { pesos }) => total + pesos, 0);
  return {
    ...tally(batches, { monto: sum }),
    by: { pagos: tally(batches.flat(), { monto: ({ pesos }) => pesos }) },
  };
};

const balances = (state: State, accounts: readonly SandboxAccount[]): Tally => {
  const rows = accounts.map((account) => ({ account, ...computeBalances({ state }, account) }));
  return tally(
    rows,
    {
      saldo_contable: ({ account, contable }) => hundredths(contable, account),
      saldo_disponible: ({ account, disponible }) => hundredths(disponible, account),
      saldo_provisorio: ({ account, provisorio }) => (account.currency === 'USD' ? 0 : hundredths(provisorio, account)),
    },
    2,
  );
};

export const buildLedger = (state: State, company: string, only?: string): Ledger => {
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
