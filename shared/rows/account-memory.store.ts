/** What earlier readings of a scope told of its accounts, beside the index of its rows. */

import { type Key, keys } from '#shared/table/keys.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { addMonths } from '#shared/values/dates.ts';
import type { KnownAccounts, MonthHeads } from '#shared/values/known-accounts.ts';
import type { ScopeAddress } from './scope-address.ts';

const listKey = ({ organizationId, connectionId, scope }: ScopeAddress): Key =>
  keys.accounts(organizationId, connectionId, scope);
const headsKey = ({ organizationId, connectionId, scope }: ScopeAddress, period: string): Key =>
  keys.statements(organizationId, connectionId, scope, period);

/** All accounts, and the statements of the month and of those beside it. */
export const findKnownAccounts = async (address: ScopeAddress, period: string | null): Promise<KnownAccounts> => {
  const months = period === null ? [] : [-1, 0, 1].map((distance) => addMonths(period, distance));
  const items = await table.batchGet([listKey(address), ...months.map((month) => headsKey(address, month))]);
  const found = new Map(items.map((item) => [item.sk, item]));
  const heads = (month: string): MonthHeads => (found.get(headsKey(address, month).sk)?.heads ?? {}) as MonthHeads;
  return {
    accounts: (found.get(listKey(address).sk)?.accounts ?? []) as string[],
    missing: (found.get(listKey(address).sk)?.missing ?? []) as string[],
    statements: Object.fromEntries(months.map((month) => [month, heads(month)])),
  };
};

/** Writes what differs from what was found. */
export const keepKnownAccounts = async (
  address: ScopeAddress,
  lease: Lease,
  period: string | null,
  before: KnownAccounts,
  after: KnownAccounts,
): Promise<void> => {
  const puts: table.TransactItem[] = [];
  const { accounts, missing = [] } = after;
  if (accounts.join() !== before.accounts.join() || missing.join() !== (before.missing ?? []).join())
    puts.push({ put: { ...listKey(address), accounts, missing } });
  if (period !== null && after.statements[period] !== before.statements[period])
    puts.push({ put: { ...headsKey(address, period), heads: after.statements[period] } });
  if (puts.length > 0) await table.transact([stillHeld(lease), ...puts]);
};
