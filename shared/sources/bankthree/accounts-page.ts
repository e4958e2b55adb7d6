/** The page with the two selects: accounts and months (banks.md §3.3). */
import { load } from 'cheerio/slim';
import { decodeText } from '../http/charset.ts';
import { SourceError } from '../source.ts';
import { ACCOUNTS_MAX } from './limits.ts';

export interface AccountsPage {
  /** As the portal spells them, each once, in its order. */
  accounts: string[];
  /** Closed months that have a statement, YYYY-MM, newest first. */
  closedMonths: string[];
}

const ACCOUNTS = 'select[name="cuenta"]';
const MONTHS = 'select[name="fecha"]';

export const hasSelects = (body: Uint8Array): boolean => {
  const page = load(decodeText(body));
  return page(ACCOUNTS).length > 0 && page(MONTHS).length > 0;
};

const fault = (why: string): SourceError => new SourceError('source.unexpected_response', `accounts: ${why}`);

export const readAccountsPage = (body: Uint8Array): AccountsPage => {
  if (!hasSelects(body)) throw fault('the page has no select of accounts and months');
  const page = load(decodeText(body));
  const values = (select: string): string[] =>
    page(`${select} option`)
      .toArray()
      // Without a value the text is the value, as in a browser. An empty one invites to choose.
      .map((option) => (page(option).attr('value') ?? page(option).text()).trim())
      .filter((value) => value !== '');
  const accounts = [...new Set(values(ACCOUNTS))];
  if (accounts.length > ACCOUNTS_MAX) throw fault(`more than ${ACCOUNTS_MAX} accounts`);
  for (const [at, account] of accounts.entries()) {
    if (!/^[\d-]{1,30}$/.test(account)) throw fault(`account ${at + 1} is not a number`);
  }
  const months = values(MONTHS).flatMap((value) => {
    const month = /^((?:19|20)\d{2})(0[1-9]|1[0-2])$/.exec(value);
    return month ? [`${month[1]}-${month[2]}`] : [];
  });
  return { accounts, closedMonths: [...new Set(months)].toSorted().toReversed() };
};
