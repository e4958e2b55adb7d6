/**
 * Decides which statements of a month are in doubt (ADR 18, ADR 36): a statement that contradicts stored balances
 * deletes and changes nothing, until a later reading shows the same.
 */
import { Big } from 'big.js';
import { readPeriod as readStoredRows } from '#shared/rows/index/row-partition.store.ts';
import { type Contradiction, judgeDoubts } from '#shared/rows/write/doubts.store.ts';
import { findOpenings } from '#shared/rows/write/heal-month.rules.ts';
import { NO_STATEMENTS, type ReadStatements } from '#shared/rows/write/plan-month.ts';
import type { Writer } from '#shared/rows/write/row.store.ts';
import { type ScopeDefinition, scopeId } from '#shared/scopes/scope.ts';
import * as coverages from '#shared/sync/coverage/coverage.store.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { addMonths } from '#shared/values/dates.ts';
import { shortHash } from '#shared/values/doubt.ts';
import type { KnownAccounts, MonthHeads } from '#shared/values/known-accounts.ts';
import { mustGet } from '#shared/values/must-get.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { accountKey } from '#shared/values/statements.ts';
import type { ReadPeriod } from './parse-period.ts';

/** A reading whose statements were compared with the stored ones. `read.doubtful` names all accounts in doubt. */
export interface JudgedReading {
  read: ReadPeriod;
  statements: ReadStatements;
}

/** Finds who read a month last. Used only if a reading contradicts stored rows. */
export const findLastReading = async ({ address, period }: Pick<Writer, 'address' | 'period'>) => {
  const covered = (await coverages.find(address))?.periods[period];
  return { runId: covered?.readBy ?? null, isDoubted: covered?.isDoubted === true };
};

const CUT = '.out_of_window';

/** Returns what the reading says about its accounts. */
export const describeStatements = (
  { walk }: ScopeDefinition,
  { accounts, missing = [], notices }: ReadPeriod,
  before: MonthHeads = {},
): ReadStatements => {
  const isCut = notices.some(({ code }) => code.endsWith(CUT));
  if (!walk) return { ...NO_STATEMENTS, isWhole: !isCut && missing.length === 0 };
  const shown = accounts.flatMap(({ account, statement }) =>
    statement ? [[accountKey(account), statement] as const] : [],
  );
  const listed = new Set(accounts.map(({ account }) => accountKey(account)));
  return { listed, shown: Object.fromEntries(shown), before, isWhole: !isCut };
};

/**
 * Returns the accounts whose month now begins with another balance than an earlier sync read. A late booking in the
 * previous month moves this balance; then the previous month ends with the new balance.
 *
 * @param previous heads of the previous month
 */
const findOtherOpenings = (
  { rows, closed }: ReadPeriod,
  { shown, before, isWhole }: ReadStatements,
  previous: MonthHeads,
): Map<string, { opening: string; stored: string }> => {
  const others = new Map<string, { opening: string; stored: string }>();
  const proven = new Set(closed.map(accountKey));
  const stored = new Map(
    Object.entries(before).flatMap(([account, { opening, rows: count }]) =>
      count > 0 && opening !== null && !proven.has(account) ? [[account, opening] as const] : [],
    ),
  );
  if (!isWhole || stored.size === 0) return others;
  for (const [account, opening] of findOpenings(rows.list, new Map(Object.entries(shown)), stored.keys())) {
    const isOf = (balance: string | undefined) => balance !== undefined && new Big(opening).eq(balance);
    const known = mustGet(stored, account);
    if (!isOf(known) && !isOf(previous[account]?.closing)) others.set(account, { opening, stored: known });
  }
  return others;
};

const openingNotices = (
  scope: ScopeDefinition,
  period: string,
  openings: ReadonlyMap<string, { opening: string; stored: string }>,
): OutcomeNotice[] =>
  [...openings].map(([account, { opening, stored }]) => ({
    code: noticeCode(scopeId(scope), 'statement_doubtful'),
    message: `${period}: the month of account ${account} now begins with ${opening}, an earlier sync read ${stored}. Nothing stored is deleted or changed; a later sync that shows the same is believed.`,
    params: { period, account },
  }));

/**
 * @param readAgain parses the answers again; the statements of the trusted accounts are then not in doubt
 */
export const judgeStatements = async (
  writer: Writer,
  read: ReadPeriod,
  known: KnownAccounts,
  readAgain: (trusted: ReadonlySet<string>) => Promise<ReadPeriod>,
): Promise<JudgedReading> => {
  const { scope, address, period } = writer;
  const before = known.statements[period];
  const statements = describeStatements(scope, read, before);
  if (!scope.walk) return { read, statements };
  const openings = findOtherOpenings(read, statements, known.statements[addMonths(period, -1)] ?? {});
  const doubtful = new Set([...read.doubtful.map(accountKey), ...openings.keys()]);
  if (doubtful.size === 0) return { read, statements };

  const stored = await readStoredRows(address, scope, period);
  const contradictions = new Map<string, Contradiction>();
  for (const account of doubtful) {
    const heads = openings.get(account)?.opening ?? statements.shown[account];
    const rows = stored.filter(({ step }) => step?.account === account);
    contradictions.set(account, { shown: new Set([shortHash(JSON.stringify([account, heads]))]), rows });
  }
  const { believed } = await judgeDoubts(writer, contradictions, () => findLastReading(writer));
  const isTrusted = (account: string) => believed.has(accountKey(account));
  const final = read.doubtful.some(isTrusted) ? await readAgain(believed) : read;
  const left = new Map([...openings].filter(([account]) => !isTrusted(account)));
  return {
    read: {
      ...final,
      doubtful: [...new Set([...final.doubtful.map(accountKey), ...left.keys()])],
      notices: [...final.notices, ...openingNotices(scope, period, left)],
    },
    statements: describeStatements(scope, final, before),
  };
};
