/** A list of rows, and how it is read. */
import { readJson } from '../api/client.ts';
import { type AccountCurrencies, withAccountCurrency } from './account-currencies.ts';
import type { Filter } from './filters.ts';
import type { RowPage } from './read-rows.ts';
import type { Resource, Row } from './resource.ts';

export interface ScopeList {
  resource: Resource;
  connectionId: string;
  /** Readable name of the scope. */
  title: string;
  path: string;
  filters: readonly Filter[];
  /** Currencies of the rows' accounts, if balances report them. */
  currencies?: AccountCurrencies;
  /** Currency of all rows, which are offers on one tender; null if the tender does not report it. */
  tenderCurrency?: string | null;
}

/** Adds the currency that a row does not report itself. */
const withCurrency = ({ currencies, tenderCurrency }: ScopeList, row: Row): Row => {
  if (tenderCurrency !== undefined) return { ...row, currency: tenderCurrency };
  return currencies ? withAccountCurrency(row, currencies) : row;
};

export const readList = async (list: ScopeList, query: URLSearchParams, signal?: AbortSignal): Promise<RowPage> => {
  const answer = await readJson<{ data: Row[]; pagination?: RowPage['pagination'] }>(list.path, query, signal);
  const data = answer.data.map((row) => withCurrency(list, row));
  return answer.pagination ? { data, pagination: answer.pagination } : { data };
};

/** Returns the total number of rows; a list that arrives in one response has no pagination. */
export const readTotal = ({ data, pagination }: RowPage): number => pagination?.total ?? data.length;
