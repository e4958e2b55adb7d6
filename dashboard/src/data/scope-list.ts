/**
 * A list of rows, and how it is accessed: with the session for a connection's list, and with an API key for a tender's
 * list.
 */
import { readJson } from '../api/client.ts';
import { isSessionOver } from '../api/refusal.ts';
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
  /** Headers of each request; empty with the session, because the browser sends its cookie. */
  headers: Readonly<Record<string, string>>;
  filters: readonly Filter[];
  /** Currencies of the rows' accounts, if balances report them. */
  currencies?: AccountCurrencies;
  /** Called when the API refuses the API key of the list. The session stays valid. */
  onRefusedKey?: () => void;
}

export class KeyRefused extends Error {}

export const readList = async (list: ScopeList, query: URLSearchParams, signal?: AbortSignal): Promise<RowPage> => {
  const answer = await readJson<{ data: Row[]; pagination?: RowPage['pagination'] }>(
    list.path,
    query,
    signal,
    list.headers,
  ).catch((error: unknown) => {
    if (!list.onRefusedKey || !isSessionOver(error)) throw error;
    list.onRefusedKey();
    throw new KeyRefused();
  });
  const { currencies } = list;
  const data = currencies ? answer.data.map((row) => withAccountCurrency(row, currencies)) : answer.data;
  return answer.pagination ? { data, pagination: answer.pagination } : { data };
};

/** Returns the total number of rows; a list that arrives in one response has no pagination. */
export const readTotal = ({ data, pagination }: RowPage): number => pagination?.total ?? data.length;
