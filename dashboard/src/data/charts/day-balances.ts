/** The balance of each account at the end of each day that its rows tell of. */
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
  /** Balances after a movement of the day, each as often as it occurs, less those before one. */
  open: Map<string, number>;
}

const SANTIAGO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago', dateStyle: 'short' });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const byDay = (balances: DayBalance[]): DayBalance[] =>
  balances.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));

/** Observations come newest first: the first of a day is its last. */
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

/** What stays open when every balance before a movement has met one after another: how the day ended. */
const endOf = ({ open }: Day): string | undefined => {
  const left = [...open].filter(([, times]) => times > 0);
  return left.length === 1 && left[0]![1] === 1 ? left[0]![0] : undefined;
};

/**
 * Movements of a day come in no order of the day, but each says the balance after it: the one that no other movement of
 * that day began with is the day's end. A day with a gap, or one that ends as it began, has no such one and is left out.
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
