/**
 * Accounts of the company, and the day on which the list was requested: the list and the day decide the further
 * requests (banks.md §3.1).
 */
import { addMonths, isRealDay } from '#shared/values/dates.ts';
import { accountKey, isMasked } from '#shared/values/statements.ts';
import { unexpected } from '../parsing/results.ts';
import { unreadable } from '../parsing/values.ts';
import type { RawAnswer } from '../source.ts';
import type { BankClient } from './client.ts';
import { companyIn } from './company.ts';
import { asked, parseBody, rowsIn } from './kept.ts';
import { readCurrency, readKey } from './values.ts';
import { ACCOUNTS_MAX, ACCOUNTS_URL } from './wire.ts';

export interface ListedAccount {
  /** Account number as the portal's list writes it; every row and request uses this form. */
  number: string;
  currency: string;
  /**
   * Position of the account in the list, from 1. Keys of answers contain this position, so that no message shows an
   * account number.
   */
  place: number;
}

export interface Accounts {
  accounts: ListedAccount[];
  /** RUT of the company that owns the accounts; null when the portal only says that there are no accounts. */
  company: string | null;
  /**
   * Day of the request in Santiago. The day is stored, so that a pull that resumes after midnight repeats the same
   * requests.
   */
  today: string;
}

const KEY = 'accounts';

export const readAccounts = (answer: RawAnswer): Accounts => {
  const today = asked(answer, 'today');
  if (!isRealDay(today)) throw unexpected(answer.key, 'today is not a day');
  const body = parseBody(answer);
  const accounts = new Map<string, ListedAccount>();
  if (body === null) return { accounts: [], company: null, today };
  for (const { raw, place } of rowsIn(body, 'cuentas', answer.key)) {
    const number = readKey(raw, 'numero', place);
    if (isMasked(number)) throw unreadable(place, 'numero', 'is masked');
    if (accounts.has(accountKey(number))) throw unreadable(place, 'numero', 'comes twice');
    const currency = readCurrency(raw, 'moneda', place);
    accounts.set(accountKey(number), { number, currency, place: place.row });
  }
  if (accounts.size > ACCOUNTS_MAX) throw unexpected(KEY, `more than ${ACCOUNTS_MAX} accounts`);
  return { accounts: [...accounts.values()], company: companyIn(body, answer.key), today };
};

export const pullAccounts = async (client: BankClient): Promise<Accounts> =>
  readAccounts(
    await client.ask({
      what: KEY,
      url: ACCOUNTS_URL,
      request: { list: KEY, today: client.today() },
      names: 'company',
      check: (body) => void [companyIn(body, KEY), ...rowsIn(body, 'cuentas', KEY)],
    }),
  );

export const keptAccounts = (answers: readonly RawAnswer[]): Accounts => {
  const answer = answers.find(({ key }) => key === KEY);
  if (!answer) throw unexpected(KEY, 'no answer is stored');
  return readAccounts(answer);
};

/** True if the portal still shows at least one day of the month. */
export const isInReach = (period: string, today: string, depthMonths: number): boolean => {
  const current = today.slice(0, 7);
  return period <= current && period >= addMonths(current, -depthMonths);
};
