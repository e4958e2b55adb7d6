/**
 * Facts about a scope's accounts from earlier readings: which accounts the bank listed, and the opening and closing
 * balances of their statements. Stored facts count more than a single answer (decisions.md §5). Pure.
 */
import { accountKey } from './statements.ts';

export interface StatementHeads {
  /** Opening balance. Null if the statement does not begin with its month. */
  opening: string | null;
  closing: string;
  isOpen: boolean;
  rows: number;
}

/** Heads of statements by account. Accounts are in the spelling of `accountKey`. */
export type MonthHeads = Readonly<Record<string, StatementHeads>>;

export interface KnownAccounts {
  /** Accounts in the spelling of `accountKey`. */
  accounts: readonly string[];
  /**
   * Accounts that the bank's lists left out in the last reading, each with its list. The run of that reading has
   * already reported these accounts.
   */
  missing?: readonly string[];
  /** Heads of statements by month. */
  statements: Readonly<Record<string, MonthHeads>>;
  /** Accounts whose contradicting statement a later reading has confirmed. Set while answers are parsed again. */
  trusted?: ReadonlySet<string>;
}

export const NOTHING_KNOWN: KnownAccounts = { accounts: [], statements: {} };

/** An account in the bank's list, and its statement of the month if one was read. */
export interface SeenAccount {
  account: string;
  statement?: StatementHeads;
}

/** Returns the head to store. An open statement does not replace a closed statement. */
const newer = (before: StatementHeads | undefined, seen: StatementHeads): StatementHeads =>
  before !== undefined && !before.isOpen && seen.isOpen ? before : seen;

/** Returns the heads of a month after a reading that shows the given heads. */
export const mergeHeads = (before: MonthHeads, shown: MonthHeads): MonthHeads => ({
  ...before,
  ...Object.fromEntries(Object.entries(shown).map(([account, heads]) => [account, newer(before[account], heads)])),
});

/**
 * Returns the facts after one more reading. Returns the same object if the reading adds no fact.
 *
 * @param missing accounts that the bank's lists leave out; absent if the reading has no lists
 */
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
