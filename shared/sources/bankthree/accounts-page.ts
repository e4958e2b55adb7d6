/** The page with the two selects: accounts and months (banks.md §3.3). */
import { decodeText } from '../http/charset.ts';
import { NestedTooDeep, readHtml } from '../http/html.ts';
import { unexpected } from '../parsing/results.ts';
import type { SourceError } from '../source.ts';
import { ACCOUNTS_MAX } from './limits.ts';

export interface AccountsPage {
  /** As the portal spells them, each once, in its order. */
  accounts: string[];
  /** Account → currency, where its label names one. */
  currencies: ReadonlyMap<string, string>;
  /** Closed months that have a statement, YYYY-MM, newest first. */
  closedMonths: string[];
}

interface Option {
  value: string;
  label: string;
}

/** The options of each select, by its name; none of a page nested too deep. */
const selectsIn = (html: string): Map<string, Option[]> => {
  const selects = new Map<string, Option[]>();
  let select: Option[] | undefined;
  let option: { value: string | undefined; text: string } | undefined;
  try {
    readHtml(html, () => ({
      onopentag: (tag, { name = '', value }) => {
        if (tag === 'select') {
          select = selects.get(name) ?? [];
          selects.set(name, select);
        } else if (tag === 'option') option = { value, text: '' };
      },
      ontext: (text) => {
        if (option) option.text += text;
      },
      onclosetag: (tag) => {
        if (tag === 'option' && option) {
          // Without a value the text is the value, as in a browser. An empty one invites to choose.
          const value = (option.value ?? option.text).trim();
          if (value !== '') select?.push({ value, label: option.text.trim() });
          option = undefined;
        } else if (tag === 'select') select = undefined;
      },
    }));
  } catch (error) {
    if (!(error instanceof NestedTooDeep)) throw error;
    return new Map();
  }
  return selects;
};

const ACCOUNTS = 'cuenta';
const MONTHS = 'fecha';

export const hasSelects = (body: Uint8Array): boolean => {
  const selects = selectsIn(decodeText(body));
  return selects.has(ACCOUNTS) && selects.has(MONTHS);
};

/** The last word of a label may be any other ("CTE"). */
const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));

const fault = (why: string): SourceError => unexpected('accounts', why);

export const readAccountsPage = (body: Uint8Array): AccountsPage => {
  const selects = selectsIn(decodeText(body));
  const shown = selects.get(ACCOUNTS);
  const months = selects.get(MONTHS);
  if (!shown || !months) throw fault('the page has no select of accounts and months');
  const accounts = [...new Set(shown.map(({ value }) => value))];
  if (accounts.length > ACCOUNTS_MAX) throw fault(`more than ${ACCOUNTS_MAX} accounts`);
  for (const [at, account] of accounts.entries())
    if (!/^[\d-]{1,30}$/.test(account)) throw fault(`account ${at + 1} is not a number`);
  const closedMonths = months.flatMap(({ value }) => {
    const month = /^((?:19|20)\d{2})(0[1-9]|1[0-2])$/.exec(value);
    return month ? [`${month[1]}-${month[2]}`] : [];
  });
  const currencies = new Map(
    shown.flatMap(({ value, label }) => {
      const last = label.split(/\s+/).at(-1) ?? '';
      return CURRENCIES.has(last) ? [[value, last] as const] : [];
    }),
  );
  return { accounts, currencies, closedMonths: [...new Set(closedMonths)].toSorted().toReversed() };
};
