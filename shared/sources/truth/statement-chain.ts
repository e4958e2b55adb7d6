/**
 * Checks that a closed statement begins with the closing balance of the previous month and ends with the opening
 * balance of the next month (ADR 18). The bank's current answers refuse a statement that contradicts them. If only
 * stored balances contradict it, it is in doubt: its rows are added and stored rows do not change, because it is
 * unknown which balance is wrong.
 */

import { Big } from 'big.js';
import { addMonths } from '#shared/values/dates.ts';
import type { KnownAccounts, StatementHeads } from '#shared/values/known-accounts.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { accountKey } from '#shared/values/statements.ts';
import { notice } from '../parsing/results.ts';
import type { Parsed, SourceError } from '../source.ts';

export interface StatementBalances {
  opening: string;
  closing: string;
}

/** Balances at the beginning and the end of a month, according to the neighbouring months; undefined when unknown. */
export interface Neighbours {
  closingBefore?: string | undefined;
  openingAfter?: string | undefined;
}

export const monthsBeside = (period: string): { before: string; after: string } => ({
  before: addMonths(period, -1),
  after: addMonths(period, 1),
});

/** Returns the stored balances and row count of an account's statement for one month. */
export const knownHeads = (
  known: KnownAccounts | undefined,
  account: string,
  period: string,
): StatementHeads | undefined => known?.statements[period]?.[accountKey(account)];

/**
 * Returns the balances of the neighbouring months according to their stored statements. The closing balance of an open
 * statement is ignored, because it may still change.
 */
const knownNeighbours = (known: KnownAccounts | undefined, account: string, period: string): Neighbours => {
  const { before, after } = monthsBeside(period);
  const earlier = knownHeads(known, account, before);
  return {
    closingBefore: earlier?.isOpen === false ? earlier.closing : undefined,
    openingAfter: knownHeads(known, account, after)?.opening ?? undefined,
  };
};

const isOther = (balance: string, told: string | undefined): boolean =>
  told !== undefined && !new Big(balance).eq(told);

type ChainSide = 'before' | 'after';

/** Returns the sides of the statement (before or after) whose neighbouring month contradicts it. */
const misfits = ({ opening, closing }: StatementBalances, neighbours: Neighbours): ChainSide[] => [
  ...(isOther(opening, neighbours.closingBefore) ? (['before'] as const) : []),
  ...(isOther(closing, neighbours.openingAfter) ? (['after'] as const) : []),
];

/**
 * Returns the neighbouring months for which the bank is asked now: months that contradict the statement, and the
 * month next to a balance that an earlier sync stored differently. The next month is also requested if this
 * month is stored and the next month is unknown, because only this request reveals a truncated statement whose own
 * arithmetic is right.
 */
export const monthsInDoubt = (
  own: StatementBalances,
  known: KnownAccounts | undefined,
  account: string,
  period: string,
): string[] => {
  const { before, after } = monthsBeside(period);
  const neighbours = knownNeighbours(known, account, period);
  const odd = new Set<string>(misfits(own, neighbours));
  const earlier = knownHeads(known, account, period);
  if (earlier && neighbours.openingAfter === undefined) odd.add('after');
  if (isOther(own.opening, earlier?.opening ?? undefined)) odd.add('before');
  if (earlier?.isOpen === false && isOther(own.closing, earlier.closing)) odd.add('after');
  return [...(odd.has('before') ? [before] : []), ...(odd.has('after') ? [after] : [])];
};

/** Account and month of the statement, and the known data of the account. */
export interface StatementOf {
  source: string;
  account: string;
  period: string;
  known?: KnownAccounts | undefined;
}

export interface ChainCheck extends StatementOf {
  /** Balances that the bank now reports for the neighbouring months. */
  now: Neighbours;
  refusal(odd: ChainSide): SourceError;
}

/** Returns what an earlier sync stored about the month itself where the bank's neighbouring month says nothing now. */
const knownOwn = (own: StatementHeads | undefined, now: Neighbours): Neighbours => ({
  closingBefore: now.closingBefore === undefined ? (own?.opening ?? undefined) : undefined,
  openingAfter: now.openingAfter === undefined && own?.isOpen === false ? own.closing : undefined,
});

/**
 * Returns true if nothing contradicts the statement. Returns false if only stored data contradicts it: then its account
 * is in doubt, unless a later reading has confirmed it (`known.trusted`). Throws if the bank's current answers
 * contradict it.
 */
export function* checkChain(
  own: StatementBalances,
  { source, account, period, known, now, refusal }: ChainCheck,
): Generator<Parsed, boolean> {
  const [odd] = misfits(own, now);
  if (odd) throw refusal(odd);
  const was = knownNeighbours(known, account, period);
  yield* tellOutdated(noticeCode(`${source}.movements`, 'stored_differs'), period, was, now);
  if (known?.trusted?.has(accountKey(account))) return true;
  const beside = misfits(own, was).map((side) => monthsBeside(period)[side]);
  const itself = misfits(own, knownOwn(knownHeads(known, account, period), now));
  const months = [...beside, ...(itself.length > 0 ? [period] : [])];
  if (months.length === 0) return true;
  const message = `${period}: the closed statement of an account contradicts the stored data of ${months.join(' and ')}. Its movements are provisional and change no stored data. A later sync that shows the same is believed.`;
  yield notice(noticeCode(`${source}.movements`, 'statement_doubtful'), message, { period, periods: months });
  return false;
}

/**
 * Reports a statement without movements if an earlier sync read movements of this month. Such a statement deletes no
 * stored movement.
 */
export const tellNothingShown = (source: string, period: string, before: StatementHeads | undefined): Parsed[] => {
  if (before === undefined || before.rows === 0) return [];
  const message = `${period}: the bank shows no movements of an account, but an earlier sync read some. They stay stored.`;
  return [notice(noticeCode(`${source}.movements`, 'nothing_shown'), message, { period })];
};

/**
 * Reports months whose stored balances differ from the bank's current answer, because these months must be synchronized
 * again.
 */
const tellOutdated = (code: NoticeCode, period: string, known: Neighbours, now: Neighbours): Parsed[] => {
  const { before, after } = monthsBeside(period);
  const differs = (was: string | undefined, is: string | undefined) => is !== undefined && isOther(is, was);
  const months = [
    ...(differs(known.closingBefore, now.closingBefore) ? [before] : []),
    ...(differs(known.openingAfter, now.openingAfter) ? [after] : []),
  ];
  return months.map((month) =>
    notice(
      code,
      `The bank's statement of ${month} now has another opening or closing balance than an earlier sync read: synchronize ${month} again.`,
      { period: month },
    ),
  );
};
