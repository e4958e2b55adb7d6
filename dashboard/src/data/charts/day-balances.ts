/** The balance of each account at the end of each day, from its rows. */
import Big from 'big.js';
import type { Row } from '../resource.ts';

export interface DayBalance {
  day: string;
  account: string;
  currency: string;
  /** Plain decimal. */
  balance: string;
}

interface Day {
  day: string;
  account: string;
  currency: string;
  /** How often each balance occurs after a movement of the day, minus how often it occurs before one. */
  open: Map<string, number>;
}

const SANTIAGO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago', dateStyle: 'short' });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const byDay = (balances: DayBalance[]): DayBalance[] =>
  balances.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));

/** Observations are newest first, so the first one of a day is the day's last. */
export const observedBalances = () => {
  const found = new Map<string, DayBalance>();
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        const [account, currency, balance] = [text(row.numero_cuenta), text(row.currency), text(row.saldo_contable)];
        if (balance === '') continue;
        const day = SANTIAGO_DAY.format(new Date(text(row.observed_at)));
        const key = `${day} ${account} ${currency}`;
        if (!found.has(key)) found.set(key, { day, account, currency, balance });
      }
    },
    result: (): DayBalance[] => byDay([...found.values()]),
  };
};

/** The only balance after a movement that is not also the balance before one: the balance at the end of the day. */
const endOf = ({ open }: Day): string | undefined => {
  const left = [...open].filter(([, times]) => times > 0);
  return left.length === 1 && left[0]![1] === 1 ? left[0]![0] : undefined;
};

/**
 * Movements of a day have no defined order, but each has the balance after it: the one with which no other movement of
 * the day began is the end of the day. A day with a gap, or one that ends with its opening balance, has no such balance
 * and is omitted.
 */
export const movementBalances = (dayField: string) => {
  const days = new Map<string, Day>();
  return {
    add(rows: readonly Row[]): void {
      for (const row of rows) {
        const [day, account, currency] = [text(row[dayField]), text(row.numero_cuenta), text(row.currency)];
        const [after, amount] = [text(row.saldo_contable), text(row.amount)];
        if (day === '' || after === '' || amount === '') continue;
        const key = `${day} ${account} ${currency}`;
        const known = days.get(key) ?? { day, account, currency, open: new Map<string, number>() };
        const count = (balance: string, by: number) => known.open.set(balance, (known.open.get(balance) ?? 0) + by);
        count(Big(after).toFixed(), 1);
        count(Big(after).minus(amount).toFixed(), -1);
        days.set(key, known);
      }
    },
    result: (): DayBalance[] =>
      byDay(
        [...days.values()].flatMap((day) => {
          const balance = endOf(day);
          return balance === undefined ? [] : [{ day: day.day, account: day.account, currency: day.currency, balance }];
        }),
      ),
  };
};
