/** The currency of a group of figures. Groups name an account without leading zeros, dashes and blanks. */
import { type AccountCurrencies, mapCurrencies } from '../data/account-currencies.ts';
import type { Row } from '../data/resource.ts';

type TotalGroupName = Readonly<Record<string, string>>;

/** Returns the only spelling of an account number, as the API writes it in groups. */
const spellAccount = (number: string): string => number.replaceAll(/^[-\s0]+(?=[^-\s])|[-\s]/g, '');

/** @param balances rows of the connection's balances, whose account numbers are as the institution writes them */
export const mapGroupCurrencies = (balances: readonly Row[]): AccountCurrencies =>
  mapCurrencies(balances.map((row) => ({ ...row, numero_cuenta: spellAccount(String(row.numero_cuenta)) })));

/** Returns undefined if the group names no account, or an account whose currency is unknown. */
export const findGroupCurrency = (
  currencies: AccountCurrencies,
  { numero_cuenta: account }: TotalGroupName,
): string | undefined => (account === undefined ? undefined : currencies.get(spellAccount(account)));
