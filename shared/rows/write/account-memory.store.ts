/** Stores what earlier readings of a scope found about its accounts, next to the index of the scope's rows. */

import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { keys } from '#shared/table/keys.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { addMonths } from '#shared/values/dates.ts';
import type { KnownAccounts, MonthHeads } from '#shared/values/known-accounts.ts';

/** Finds all accounts, and the statements of this month, the previous month and the next month. */
export const findKnownAccounts = async (address: ScopeAddress, period: string | null): Promise<KnownAccounts> => {
  const months = period === null ? [] : [-1, 0, 1].map((distance) => addMonths(period, distance));
  const items = await table.batchGet([
    keys.accounts(address),
    ...months.map((month) => keys.statements(address, month)),
  ]);
  const found = new Map(items.map((item) => [item.sk, item]));
  const heads = (month: string): MonthHeads =>
    (found.get(keys.statements(address, month).sk)?.heads ?? {}) as MonthHeads;
  return {
    accounts: (found.get(keys.accounts(address).sk)?.accounts ?? []) as string[],
    missing: (found.get(keys.accounts(address).sk)?.missing ?? []) as string[],
    statements: Object.fromEntries(months.map((month) => [month, heads(month)])),
  };
};

/** Stores the known accounts and statements. Writes only the items that changed. */
export const keepKnownAccounts = async (
  { address, lease }: { address: ScopeAddress; lease: Lease },
  period: string | null,
  before: KnownAccounts,
  after: KnownAccounts,
): Promise<void> => {
  const puts: table.TransactItem[] = [];
  const { accounts, missing = [] } = after;
  if (accounts.join() !== before.accounts.join() || missing.join() !== (before.missing ?? []).join())
    puts.push({ put: { ...keys.accounts(address), accounts, missing } });
  if (period !== null && after.statements[period] !== before.statements[period])
    puts.push({ put: { ...keys.statements(address, period), heads: after.statements[period] } });
  if (puts.length > 0) await table.transact([stillHeld(lease), ...puts]);
};
