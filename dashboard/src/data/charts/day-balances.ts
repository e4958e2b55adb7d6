/** The balance of each account at the end of each day, computed from the account's rows. */
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
   * Balance → number of movements of the day that end with this balance, minus number of movements of the day that
   * start from it.
   */
  open: Map<string, number>;
}

const SANTIAGO_DAY = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Santiago', dateStyle: 'short' });

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const byDay = (balances: DayBalance[]): DayBalance[] =>
  balances.sort((a, b) => (a.day < b.day ? -1 : Number(a.day > b.day)));

/**
 * Collects the last observed balance of each day. Rows are sorted newest first, so the first row of a day has the day's
 * last observation.
 */
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
 * Returns the balance at the end of the day; undefined if it is unknown. It is the only balance with which more
 * movements of the day end than start.
 */
const endOf = ({ open }: Day): string | undefined => {
  const left = [...open].filter(([, times]) => times > 0);
  return left.length === 1 && left[0]![1] === 1 ? left[0]![0] : undefined;
};

/**
 * Computes the balance at the end of each day, although the movements of a day have no defined order. The day ends with
 * the balance from which no other movement of the day starts. If a movement is missing, or if the day ends with its
 * opening balance, no such balance exists, and the day is omitted.
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
