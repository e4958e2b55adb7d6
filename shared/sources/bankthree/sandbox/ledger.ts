/** The bank's data in the form of our rows. */
import { type PeriodTally, type Tally, tally } from '../../sandbox-kit/tally.ts';
import type { BalanceView, BookedEntry } from './book.ts';
import type { State } from './state.ts';

export type { Tally } from '../../sandbox-kit/tally.ts';

type MovementTally = PeriodTally<string, 'received' | 'issued'>;

export interface Ledger {
  /** Keyed by each month that the bank shows. */
  movements: Record<string, MovementTally>;
  balances: { now: Tally };
}

const tallyEntries = (entries: readonly BookedEntry[]): Tally =>
  tally(entries, { amount: ({ amount }) => amount, saldo_contable: ({ balance }) => balance }, 2);

const tallyBalances = (balances: readonly BalanceView[]): Tally =>
  tally(balances, { saldo_contable: ({ book }) => book, saldo_disponible: ({ available }) => available ?? 0 }, 2);

export const buildLedger = ({ book, entries }: State, login: string, period?: string): Ledger => {
  const entry = entries.get(login);
  if (!entry) return { movements: {}, balances: { now: tallyBalances([]) } };
  const months = [...book.closedMonths(entry), book.currentPeriod()].toSorted();
  const wanted = months.filter((month) => period === undefined || month === period);
  const movements = wanted.map((month): [string, MovementTally] => {
    const booked = book.accounts(entry).flatMap((account) => book.statement(entry, account, month)?.entries ?? []);
    const by = {
      received: tallyEntries(booked.filter(({ amount }) => amount >= 0)),
      issued: tallyEntries(booked.filter(({ amount }) => amount < 0)),
    };
    return [month, { ...tallyEntries(booked), by }];
  });
  return { movements: Object.fromEntries(movements), balances: { now: tallyBalances(book.balances(entry)) } };
};
