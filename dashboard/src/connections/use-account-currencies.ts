/** Reads the currencies of a connection's accounts from its balances, for months whose figures name accounts. */
import { useQuery } from '@tanstack/react-query';
import { readJson } from '../api/client.ts';
import { type AccountCurrencies, findBalances } from '../data/account-currencies.ts';
import { findResource, pathWith } from '../data/find-resource.ts';
import type { Row } from '../data/resource.ts';
import { mapGroupCurrencies } from './group-currency.ts';

const UNKNOWN: AccountCurrencies = new Map();

export interface AccountScopeId {
  connectionId: string;
  source: string;
  scope: string;
}

/**
 * Returns the currencies once they are known. A failed request leaves the currencies unknown, because the figures
 * matter without them.
 * @param isNeeded false if no figure names an account; then nothing is requested
 */
export const useAccountCurrencies = (of: AccountScopeId, isNeeded: boolean): AccountCurrencies => {
  const resource = findResource(of.source, of.scope);
  const balances = resource ? findBalances(resource) : null;
  const path = balances === null ? '' : pathWith(balances.path, of.connectionId);
  const query = useQuery({
    queryKey: ['account-currencies', path],
    queryFn: ({ signal }) => readJson<{ data: Row[] }>(path, new URLSearchParams({ latest: 'true' }), signal),
    select: ({ data }) => mapGroupCurrencies(data),
    enabled: isNeeded && path !== '',
  });
  return query.data ?? UNKNOWN;
};
