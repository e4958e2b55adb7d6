/** The company's current accounts. The list of accounts is the first answer of every scope (banks.md §3.2). */
import { accountKey, isMasked } from '#shared/values/statements.ts';
import { type AnswerPlace, unreadable } from '../parsing/values.ts';
import { type JsonObject, type RawAnswer, SourceError } from '../source.ts';
import { readObject } from './body.ts';
import type { ApiClient } from './client.ts';
import { ACCOUNTS_MAX } from './limits.ts';
import { readKey, readList } from './values.ts';
import { ACCOUNTS_URL } from './wire.ts';

export interface ListedAccount {
  /** Office and contract, which identify the account in requests. */
  accountId: string;
  /** Account number as the owner knows it: `0-000-0456789-1`. */
  number: string;
  currency: string;
  /** Name of the account in keys and messages: the position of the account in the list. */
  name: string;
}

export const ACCOUNTS_KEY = 'accounts';

/** Returns accounts of any status: a blocked account still has movements and a balance. */
export const readAccounts = (body: JsonObject): ListedAccount[] => {
  const place: AnswerPlace = { answerKey: ACCOUNTS_KEY, row: 0 };
  const accounts = new Map<string, ListedAccount>();
  for (const [i, raw] of readList(body, 'accounts', place).entries()) {
    const at = { ...place, row: i + 1 };
    const accountId = readKey(raw.accountId, 'accountId', at);
    if (!/^[\w-]{1,64}$/.test(accountId)) throw unreadable(at, 'accountId', 'is not an account id');
    // A duplicate account means that the list omits another account.
    if (accounts.has(accountId)) throw unreadable(at, 'accountId', 'comes twice');
    const currency = readCurrency(raw.currency, at);
    const number = readKey(raw.number, 'number', at);
    if (isMasked(number)) throw unreadable(at, 'number', 'is masked');
    accounts.set(accountId, { accountId, number, currency, name: `account-${i + 1}` });
  }
  const list = [...accounts.values()];
  if (list.length > ACCOUNTS_MAX) throw unreadable(place, 'accounts', `are more than ${ACCOUNTS_MAX}`);
  // The account number identifies rows of an account: two accounts with the same number would overwrite each other's
  // movements.
  if (new Set(list.map(({ number }) => accountKey(number))).size < list.length)
    throw unreadable(place, 'number', 'is the same in two accounts');
  return list;
};

export const readCurrency = (value: JsonObject[string] | undefined, place: AnswerPlace): string => {
  const currency = readKey(value, 'currency', place);
  if (!/^[A-Z]{3}$/.test(currency)) throw unreadable(place, 'currency', 'is not a currency code');
  return currency;
};

/**
 * Requests the list of accounts and stores it with `kept`, which decides the further requests. A later worker continues
 * with the stored `kept`.
 */
export const askAccounts = (client: ApiClient, kept: JsonObject): Promise<RawAnswer> =>
  client.ask({ what: ACCOUNTS_KEY, url: ACCOUNTS_URL, kept: { call: 'accounts', ...kept } }, readAccounts);

/** Returns the stored list of accounts, which the parser of every other answer needs. */
export const accountsIn = (answers: readonly RawAnswer[]): { answer: RawAnswer; accounts: ListedAccount[] } => {
  const answer = answers.find(({ request }) => request.call === 'accounts');
  if (!answer) throw new SourceError('source.unexpected_response', 'no list of accounts is stored');
  return { answer, accounts: readAccounts(readObject(answer.body, ACCOUNTS_KEY)) };
};

/**
 * Throws when an answer is about another account than the requested account, because such an answer may be about
 * another company (part 2).
 */
export const checkAccount = (body: JsonObject, account: ListedAccount, place: AnswerPlace): void => {
  if (accountKey(readKey(body.accountId, 'accountId', place)) !== accountKey(account.accountId))
    throw new SourceError('source.wrong_company', `${place.answerKey}: the answer is about another account`);
  if (readCurrency(body.currency, place) !== account.currency)
    throw unreadable(place, 'currency', 'is not the currency of the account');
};
