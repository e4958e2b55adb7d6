/**
 * What is known of a scope's accounts from earlier readings: which ones its bank listed, and what their statements began
 * and ended with. What is stored knows better than one answer (decisions.md §5). Pure.
 */
import { accountKey } from './statements.ts';

export interface StatementHeads {
  /** Null: the statement does not begin with its month. */
  opening: string | null;
  closing: string;
  isOpen: boolean;
  rows: number;
  /** Last day that the statement covers, where the bank says so. */
  to: string | null;
}

/** Account, as `accountKey` spells it → heads. */
export type MonthHeads = Readonly<Record<string, StatementHeads>>;

export interface KnownAccounts {
  /** As `accountKey` spells them. */
  accounts: readonly string[];
  /** Those that lists of the last reading left out, which it told: account and list. */
  missing?: readonly string[];
  /** By month. */
  statements: Readonly<Record<string, MonthHeads>>;
}

export const NOTHING_KNOWN: KnownAccounts = { accounts: [], statements: {} };

/** An account that the bank lists, and its statement of the month where one was read. */
export interface SeenAccount {
  account: string;
  statement?: StatementHeads;
}

/** A closed statement is not forgotten for an open one. */
const newer = (before: StatementHeads | undefined, seen: StatementHeads): StatementHeads =>
  before !== undefined && !before.isOpen && seen.isOpen ? before : seen;

/** What is known after one more reading; the very same object where nothing new was seen. No `missing`: it did not say. */
export const learnAccounts = (
  known: KnownAccounts,
  period: string | null,
  seen: readonly SeenAccount[],
  missing: readonly string[] = known.missing ?? [],
): KnownAccounts => {
  const accounts = new Set(known.accounts);
  const heads: Record<string, StatementHeads> = { ...known.statements[period ?? ''] };
  let isNew = missing.join() !== (known.missing ?? []).join();
  for (const { account, statement } of seen) {
    const key = accountKey(account);
    isNew ||= !accounts.has(key);
    accounts.add(key);
    if (statement === undefined || period === null) continue;
    const before = heads[key];
    heads[key] = newer(before, statement);
    isNew ||= JSON.stringify(before) !== JSON.stringify(heads[key]);
  }
  if (!isNew) return known;
  const statements = period === null ? known.statements : { ...known.statements, [period]: heads };
  return { accounts: [...accounts].sort(), missing, statements };
};
