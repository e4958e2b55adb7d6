/** The balance of each account at the end of each day, from its rows. */
import Big from 'big.js';
import type { Row } from '../resource.ts';

export interface DayBalance {
  day: string;
  account: string;
  currency: string;
  /** The balance as a plain decimal. */
  balance: string;
}

interface Day {
  day: string;
  account: string;
  currency: string;
  /**
   * Balance → how often it occurs after a movement of the day, minus how often it occurs before a movement of the day.
   */
  open: Map<string, number>;
}

const SANTIAGO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago', dateStyle: 'short' });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const byDay = (balances: DayBalance[]): DayBalance[] =>
  balances.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));

/** Observations are sorted newest first, so the first observation of a day is the day's last. */
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

/**
 * Returns the balance at the end of the day: the only balance that occurs more often after a movement than before a
 * movement.
 */
const endOf = ({ open }: Day): string | undefined => {
  const left = [...open].filter(([, times]) => times > 0);
  return left.length === 1 && left[0]![1] === 1 ? left[0]![0] : undefined;
};

/**
 * Finds the balance at the end of each day, although the movements of a day have no defined order. Each movement has
 * the balance after it, and the day ends with the balance from which no other movement of the day started. A day with a
 * gap, or a day that ends with its opening balance, has no such balance and is omitted.
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
