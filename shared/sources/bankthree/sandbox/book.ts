/**
 * The bank's data of each login: accounts, statements by month, balances. The data is generated at the first request.
 */
import { addMonths, findLastDay, santiagoDay } from '#shared/values/dates.ts';
import { splitRut } from '#shared/values/rut.ts';
import { formatDay } from '../../sandbox-kit/calendar.ts';
import { createRandom } from '../../sandbox-kit/random.ts';
import { closedMonths } from './calendar.ts';
import { findCompany, type BankthreeCredential as Login } from './credentials.ts';
import { drawnOpening, generateMonth, type LedgerEntry, type SandboxAccount } from './generate.ts';

export interface BookedEntry extends LedgerEntry {
  /** Balance after the movement, in hundredths. */
  balance: number;
}

export interface StatementView {
  account: SandboxAccount;
  isOpen: boolean;
  /** First and last day of the statement, YYYY-MM-DD. */
  from: string;
  to: string;
  number: number;
  opening: number;
  closing: number;
  entries: BookedEntry[];
}

export interface BalanceView {
  account: SandboxAccount;
  book: number;
  /** Available balance; null for an empty cell. */
  available: number | null;
}

export interface BankthreeBook {
  accounts(login: Login): SandboxAccount[];
  /** Closed months that have a statement, newest first. */
  closedMonths(login: Login): string[];
  currentPeriod(): string;
  /** Returns the statement; undefined if the month is not closed yet or no longer available. */
  statement(login: Login, account: SandboxAccount, period: string): StatementView | undefined;
  balances(login: Login): BalanceView[];
  /** Sets the number of movements per month and account; `period` null means every month. */
  setMovements(login: string, period: string | null, movements: number): void;
}

const LARGE = 5_000;
/** An account without movements for this long has a balance of zero. */
const IDLE_MONTHS_MAX = 24;

export const createBook = (seed: string, now: () => number, closeDelayMonths: () => number): BankthreeBook => {
  const sizes = new Map<string, number>();
  const months = new Map<string, LedgerEntry[]>();
  const today = (): string => santiagoDay(now());
  const currentPeriod = (): string => today().slice(0, 7);

  const sizeOf = (login: Login, { number, currency }: SandboxAccount, period: string): number => {
    const { rut } = login.credentials;
    const set = sizes.get(`${rut}|${period}`) ?? sizes.get(`${rut}|`);
    if (set !== undefined) return set;
    if (login.behaviour === 'empty' || login.behaviour === 'empty_pages') return 0;
    if (login.behaviour === 'large' && currency === 'CLP') return LARGE;
    const random = createRandom(`${seed}|${number}|${period}|size`);
    return currency === 'CLP' ? random.int(25, 60) : random.int(4, 12);
  };

  /**
   * Returns the opening balance of a month. It equals the opening balance of the next month with movements, because a
   * month without movements ends with its opening balance.
   */
  const openingOf = (login: Login, account: SandboxAccount, period: string): number => {
    for (let ahead = 0; ahead <= IDLE_MONTHS_MAX; ahead++) {
      const month = addMonths(period, ahead);
      if (sizeOf(login, account, month) > 0) return drawnOpening(seed, account, month);
    }
    return 0;
  };

  const entriesOf = (login: Login, account: SandboxAccount, period: string): LedgerEntry[] => {
    const movements = sizeOf(login, account, period);
    const opening = openingOf(login, account, period);
    const closing = openingOf(login, account, addMonths(period, 1));
    const key = JSON.stringify([account.number, period, movements, opening, closing]);
    const known = months.get(key);
    if (known) return known;
    const hasTwins = login.behaviour === 'duplicate_rows';
    const entries = generateMonth({ seed, account, period, movements, opening, closing, hasTwins });
    months.set(key, entries);
    return entries;
  };

  const closed = (login: Login): string[] => {
    const delay = Math.max(closeDelayMonths(), login.behaviour === 'not_closed_yet' ? 1 : 0);
    return closedMonths(currentPeriod(), delay, login.behaviour === 'new_customer');
  };

  const statement = (login: Login, account: SandboxAccount, period: string): StatementView | undefined => {
    const isOpen = period === currentPeriod();
    if (!isOpen && !closed(login).includes(period)) return undefined;
    const to = isOpen ? today() : findLastDay(period);
    const hides = isOpen ? 'closed' : 'open';
    const opening = openingOf(login, account, period);
    let balance = opening;
    const entries = entriesOf(login, account, period)
      .filter(({ only, day }) => only !== hides && day <= to)
      .map((entry) => {
        balance += entry.amount;
        return { ...entry, balance };
      });
    const number = isOpen ? 0 : Number(period.slice(0, 4)) * 12 + Number(period.slice(5)) - 24_000;
    return { account, isOpen, from: formatDay(period, 1), to, number, opening, closing: balance, entries };
  };

  const accounts = (login: Login): SandboxAccount[] => {
    const { body } = splitRut(findCompany(login));
    const currencies = login.behaviour === 'empty' ? (['CLP'] as const) : (['CLP', 'USD', 'CLP'] as const);
    return currencies.map((currency, at) => ({ number: `${body}${at + 1}`.padStart(15, '0'), currency }));
  };

  return {
    accounts,
    closedMonths: closed,
    currentPeriod,
    statement,
    balances: (login) => {
      if (login.behaviour === 'empty') return [];
      return accounts(login).map((account, at) => {
        const book = statement(login, account, currentPeriod())!.closing;
        const held = createRandom(`${seed}|${account.number}|held`).int(0, 500_000) * 100;
        return { account, book, available: at === 2 ? null : account.currency === 'CLP' ? book - held : 0 };
      });
    },
    setMovements: (login, period, movements) => {
      sizes.set(`${login}|${period ?? ''}`, movements);
    },
  };
};
