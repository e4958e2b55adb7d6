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
}

export const readList = async (list: ScopeList, query: URLSearchParams, signal?: AbortSignal): Promise<RowPage> => {
  const answer = await readJson<{ data: Row[]; pagination?: RowPage['pagination'] }>(list.path, query, signal);
  const { currencies } = list;
  const data = currencies ? answer.data.map((row) => withAccountCurrency(row, currencies)) : answer.data;
  return answer.pagination ? { data, pagination: answer.pagination } : { data };
};

/** Returns the total number of rows; a list that arrives in one response has no pagination. */
export const readTotal = ({ data, pagination }: RowPage): number => pagination?.total ?? data.length;
