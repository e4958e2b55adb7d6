/** A list of rows and how it is asked for: by connection with the session, by tender with an API key. */
import { readJson } from '../api/client.ts';
import { isSessionOver } from '../api/refusal.ts';
import { type AccountCurrencies, withAccountCurrency } from './account-currencies.ts';
import type { Filter } from './filters.ts';
import type { RowPage } from './read-rows.ts';
import type { Resource, Row } from './resource.ts';

export interface ScopeList {
  resource: Resource;
  connectionId: string;
  /** The scope in words. */
  title: string;
  path: string;
  /** Empty for the session, whose cookie the browser sends. */
  headers: Readonly<Record<string, string>>;
  filters: readonly Filter[];
  /** Of its rows' accounts, where balances tell them. */
  currencies?: AccountCurrencies;
  /** Its own key was refused, which says nothing of the session. */
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

/** Rows in all: where everything comes at once there is no pagination to tell it. */
export const readTotal = ({ data, pagination }: RowPage): number => pagination?.total ?? data.length;
