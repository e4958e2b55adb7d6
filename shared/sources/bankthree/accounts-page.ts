/** The page with two select fields: accounts and months (banks.md §3.3). */
import { decodeText } from '../http/charset.ts';
import { unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';
import { ACCOUNTS_MAX } from './limits.ts';
import { readSelects } from './read-selects.ts';

export interface AccountsPage {
  /** Accounts as the portal writes them, without duplicates, in the order of the page. */
  accounts: string[];
  /** Maps an account to its currency, if the account's label contains a currency. */
  currencies: ReadonlyMap<string, string>;
  /** Closed months that have a statement, YYYY-MM, newest first. */
  readonly closedMonths: readonly string[];
}

const fault = (why: string): SourceError => unexpected('accounts', why);

const ACCOUNTS = 'cuenta';
const MONTHS = 'fecha';

export const hasSelects = (body: Uint8Array): boolean => {
  const selects = readSelects(decodeText(body));
  return selects.has(ACCOUNTS) && selects.has(MONTHS);
};

/** Known currency codes, because the last word of a label may not be a currency ("CTE"). */
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

export const readAccountsPage = (body: Uint8Array): AccountsPage => {
  const selects = readSelects(decodeText(body));
  const shown = selects.get(ACCOUNTS);
  const months = selects.get(MONTHS);
  if (!shown || !months) throw fault('the page has no select of accounts and months');
  const accounts = [...new Set(shown.map(({ value }) => value))];
  if (accounts.length > ACCOUNTS_MAX) throw fault(`more than ${ACCOUNTS_MAX} accounts`);
  const odd = accounts.findIndex((account) => !NUMBER.test(account));
  if (odd >= 0) throw fault(`account ${odd + 1} is not a number`);
  const currencies = new Map<string, string>();
  for (const { value, label } of shown) {
    const last = label.split(/\s+/).at(-1) ?? '';
    if (CURRENCIES.has(last)) currencies.set(value, last);
  }
  return {
    accounts,
    currencies,
    get closedMonths() {
      return closedMonths(months.map(({ value }) => value));
    },
  };
};

const NUMBER = /^[\d-]{1,30}$/;
const MONTH = /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])$/;

const closedMonths = (shown: readonly string[]): string[] => {
  const months = new Set(shown.filter((month) => MONTH.test(month)));
  return [...months]
    .toSorted()
    .toReversed()
    .map((month) => `${month.slice(0, 4)}-${month.slice(4)}`);
};
