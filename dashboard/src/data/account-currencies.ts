/**
 * The currency of each account, which comes from the account's balances. Movements do not say the currency reliably:
 * movements of bank two have no currency, and closed statements of bank one report CLP for every account (service.md,
 * MovementRow).
 */

import type { Field, Resource, Row } from './resource.ts';
import { RESOURCES } from './resources.gen.ts';

/** Account number → currency. */
export type AccountCurrencies = ReadonlyMap<string, string>;

const has = ({ fields }: Resource, ...names: string[]): boolean =>
  names.every((name) => fields.some((field) => field.name === name));

/**
 * Returns the resource whose balances give the currency of a scope's accounts; null when the scope's rows have no
 * account, or are balances themselves.
 */
export const findBalances = (resource: Resource): Resource | null => {
  if (!has(resource, 'numero_cuenta') || has(resource, 'observed_at')) return null;
  const isBalances = (other: Resource) => other.source === resource.source && has(other, 'observed_at', 'currency');
  return RESOURCES.find(isBalances) ?? null;
};

/**
 * Returns the currency of each account. Accounts with balances in two currencies are omitted, because their currency is
 * ambiguous.
 */
export const mapCurrencies = (balances: readonly Row[]): AccountCurrencies => {
  const all = Map.groupBy(balances, ({ numero_cuenta }) => String(numero_cuenta));
  const currencies = [...all].map(
    ([account, rows]) => [account, new Set(rows.map(({ currency }) => currency))] as const,
  );
  return new Map(currencies.flatMap(([account, own]) => (own.size === 1 ? [[account, String([...own][0])]] : [])));
};

export const withAccountCurrency = (row: Row, currencies: AccountCurrencies): Row => {
  const currency = currencies.get(String(row.numero_cuenta));
  return currency === undefined ? row : { ...row, currency };
};

/**
 * Returns the scope's description with a column for the account's currency. Without this column, amounts of accounts
 * with different currencies are unclear.
 */
export const withCurrencyField = (resource: Resource): Resource => {
  if (has(resource, 'currency')) return resource;
  const field: Field = { name: 'currency', kind: 'text' };
  const at = resource.fields.findIndex(({ name }) => name === 'numero_cuenta') + 1;
  return { ...resource, fields: resource.fields.toSpliced(at, 0, field) };
};
