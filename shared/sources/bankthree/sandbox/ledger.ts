/** What the bank holds, as our rows should show it. Exact: sums of whole hundredths. */
import { Big } from 'big.js';
import type { BookedEntry } from './book.ts';
import type { State } from './state.ts';

export interface Tally {
  count: number;
  sums: Record<string, string>;
}

export interface MovementTally extends Tally {
  by: { received: Tally; issued: Tally };
}

export interface Ledger {
  /** By month that the bank shows. */
  movements: Record<string, MovementTally>;
  balances: { now: Tally };
}

const sum = (hundredths: readonly number[]): string => {
  const total = hundredths.reduce((all, value) => all + BigInt(value), 0n);
  return new Big(String(total)).div(100).toFixed();
};

const tally = (entries: readonly BookedEntry[]): Tally => ({
  count: entries.length,
  sums: {
    amount: sum(entries.map(({ amount }) => amount)),
    saldo_contable: sum(entries.map(({ balance }) => balance)),
  },
});

export const ledgerOf = ({ book, entries }: State, login: string, period?: string): Ledger => {
  const entry = entries.get(login);
  if (!entry)
    return { movements: {}, balances: { now: { count: 0, sums: { saldo_contable: '0', saldo_disponible: '0' } } } };
  const months = [...book.closedMonths(entry), book.currentPeriod()].toSorted();
  const wanted = months.filter((month) => period === undefined || month === period);
  const movements = wanted.map((month): [string, MovementTally] => {
    const booked = book.accounts(entry).flatMap((account) => book.statement(entry, account, month)?.entries ?? []);
    const by = {
      received: tally(booked.filter(({ amount }) => amount >= 0)),
      issued: tally(booked.filter(({ amount }) => amount < 0)),
    };
    return [month, { ...tally(booked), by }];
  });
  const balances = book.balances(entry);
  return {
    movements: Object.fromEntries(movements),
    balances: {
      now: {
        count: balances.length,
        sums: {
          saldo_contable: sum(balances.map((balance) => balance.book)),
          saldo_disponible: sum(balances.map(({ available }) => available ?? 0)),
        },
      },
    },
  };
};
