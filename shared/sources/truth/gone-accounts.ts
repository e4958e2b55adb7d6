/**
 * Reports accounts that an earlier list of the bank contained and the current list does not, and accounts that only one
 * of the bank's lists contains. An account is reported once, and again only if it has reappeared in the meantime. Its
 * stored data stays.
 */

import type { KnownAccounts } from '#shared/values/known-accounts.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { accountKey } from '#shared/values/statements.ts';
import { notice } from '../parsing/results.ts';
import type { Parsed } from '../source.ts';

/** A second list of the same accounts, such as "the file of balances". */
export interface OtherList {
  name: string;
  accounts: Iterable<string>;
}

const countOf = (n: number): string => (n === 1 ? '1 account' : `${n} accounts`);

/** Accounts that are missing; `list` names the list from which they are missing. */
interface Missing {
  list: 'both' | 'other' | 'own';
  accounts: string[];
  words: string;
}

/** Returns the missing accounts, and one notice if any missing account has not been reported yet. */
export const tellGoneAccounts = (
  source: string,
  listed: Iterable<string>,
  known: KnownAccounts | undefined,
  other?: OtherList,
): Parsed[] => {
  const own = new Set([...listed].map(accountKey));
  const others = new Set([...(other?.accounts ?? own)].map(accountKey));
  const before = known?.accounts ?? [];
  const lists: Missing[] = [
    {
      list: 'both',
      accounts: before.filter((account) => !own.has(account) && !others.has(account)),
      words: `of ${before.length} that the bank listed before are not listed now.`,
    },
    {
      list: 'other',
      accounts: [...own].filter((account) => !others.has(account)),
      words: `of the bank's list are not in ${other?.name}.`,
    },
    {
      list: 'own',
      accounts: [...others].filter((account) => !own.has(account)),
      words: `of ${other?.name} are not in the bank's list.`,
    },
  ];
  const missing = lists.flatMap(({ list, accounts }) => accounts.map((account) => `${account} ${list}`)).sort();
  const told = new Set(known?.missing);
  if (missing.every((one) => told.has(one))) return [{ missing }];
  const parts = lists
    .filter(({ accounts }) => accounts.length > 0)
    .map(({ accounts, words }) => `${countOf(accounts.length)} ${words}`);
  const message = `${parts.join(' ')} What is stored of them was kept.`;
  return [{ missing }, notice(noticeCode(source, 'accounts_gone'), message, { count: missing.length })];
};

/** Returns the accounts that a bank lists, and a report of the accounts that it listed earlier but no longer lists. */
export const tellAccounts = (
  source: string,
  accounts: readonly { number: string }[],
  known: KnownAccounts | undefined,
): Parsed[] => {
  const listed = accounts.map(({ number }) => number);
  return [...listed.map((account) => ({ account: { account } })), ...tellGoneAccounts(source, listed, known)];
};
