/** Generates the movements of one account and month from a seed. Amounts are whole hundredths, far below 2^53. */
import { findLastDay } from '#shared/values/dates.ts';
import { daysIn, formatDay } from '../../sandbox-kit/calendar.ts';
import { createRandom, type Random } from '../../sandbox-kit/random.ts';
import { FEES, makeText } from './parties.ts';

export interface SandboxAccount {
  /** 15 digits. */
  number: string;
  currency: 'CLP' | 'USD';
}

export interface LedgerEntry {
  day: string;
  text: string;
  /** 9 digits; all zeros mean no document. */
  document: string;
  /** Amount in hundredths, negative for a charge. */
  amount: number;
  /**
   * Statement that shows the entry; null for both. A withheld entry that was never booked is only in the open
   * statement, a late booking only in the closed statement (banks.md part 4).
   */
  only: 'open' | 'closed' | null;
}

export interface MonthRequest {
  seed: string;
  account: SandboxAccount;
  /** YYYY-MM */
  period: string;
  movements: number;
  /** Balances before the month and at its close, in hundredths. */
  opening: number;
  closing: number;
  /** Every fourth payment has a twin with the same day, document and amount. */
  hasTwins: boolean;
}

/** Returns an amount: whole pesos, or dollars and cents. */
const amountOf = (random: Random, currency: SandboxAccount['currency']): number =>
  currency === 'CLP' ? Math.round(1_000 * 3_000 ** random.next()) * 100 : Math.round(500 * 2_000 ** random.next());

/** Returns the opening balance of a month in which the account has movements. A dollar account may be overdrawn. */
export const drawnOpening = (seed: string, { number, currency }: SandboxAccount, period: string): number => {
  const random = createRandom(`${seed}|${number}|${period}|opening`);
  return currency === 'CLP' ? random.int(1_000_000, 40_000_000) * 100 : random.int(-500_000, 2_500_000);
};

/** Generates the movements of the whole month, oldest first. The movements do not depend on the current day. */
export const generateMonth = ({
  seed,
  account,
  period,
  movements,
  opening,
  closing,
  hasTwins,
}: MonthRequest): LedgerEntry[] => {
  if (movements === 0) return [];
  const random = createRandom(`${seed}|${account.number}|${period}`);
  const last = daysIn(period);
  const days = Array.from({ length: movements }, () => random.int(1, last)).toSorted((a, b) => a - b);
  const drafts = days.map(
    (day, at): LedgerEntry => ({ ...draft(random, account), day: formatDay(period, day), only: onlyIn(at, movements) }),
  );
  const entries = hasTwins ? drafts.flatMap((entry, at) => (at % 4 === 0 ? [entry, { ...entry }] : [entry])) : drafts;
  const booked = entries.filter(({ only }) => only !== 'open').reduce((sum, { amount }) => sum + amount, 0);
  const gap = closing - opening - booked;
  if (gap === 0) return entries;
  // This entry is booked when the month is closed, so that the closing balance equals the next opening balance.
  const text = 'TRASPASO FONDOS AL CIERRE DEL PERÍODO';
  return [...entries, { day: findLastDay(period), text, document: '000000000', amount: gap, only: 'closed' }];
};

const onlyIn = (at: number, movements: number): LedgerEntry['only'] =>
  at === Math.floor(movements / 3) ? 'open' : at === Math.floor(movements / 2) ? 'closed' : null;

const draft = (random: Random, { currency }: SandboxAccount): Pick<LedgerEntry, 'text' | 'document' | 'amount'> => {
  const share = random.next();
  if (share < 0.15) {
    const fee = currency === 'CLP' ? random.pick([12_500, 2_375]) * 100 : random.pick([250, 1_250]);
    return { text: random.pick(FEES), document: '000000000', amount: -fee };
  }
  const isCharge = share < 0.6;
  const document = String(random.int(1, 999_999_999)).padStart(9, '0');
  const amount = amountOf(random, currency);
  return { text: makeText(random, isCharge), document, amount: isCharge ? -amount : amount };
};
