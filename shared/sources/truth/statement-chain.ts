/**
 * A closed statement begins with the closing balance of the previous month and ends with the opening balance of the
 * next. Balances of those months from earlier syncs may contradict it; then the bank's current answer decides. If the
 * bank does not answer, it is unknown which of the two is wrong: the statement's rows are added, and change nothing
 * that is stored.
 */

import { Big } from 'big.js';
import { addMonths } from '#shared/values/dates.ts';
import type { KnownAccounts, StatementHeads } from '#shared/values/known-accounts.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { accountKey } from '#shared/values/statements.ts';
import { notice } from '../parsing/results.ts';
import type { Parsed, SourceError } from '../source.ts';

export interface Balances {
  opening: string;
  closing: string;
}

/** Balances at both ends of a month according to its neighbours; undefined when unknown. */
export interface Neighbours {
  closingBefore?: string | undefined;
  openingAfter?: string | undefined;
}

export const monthsBeside = (period: string): { before: string; after: string } => ({
  before: addMonths(period, -1),
  after: addMonths(period, 1),
});

/** Stored heads of an account's statement of a month. */
export const knownHeads = (
  known: KnownAccounts | undefined,
  account: string,
  period: string,
): StatementHeads | undefined => known?.statements[period]?.[accountKey(account)];

/** Ignores the closing balance of an open statement, because it may still change. */
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

type Side = 'before' | 'after';

/** Neighbours that contradict the statement. */
const misfits = ({ opening, closing }: Balances, neighbours: Neighbours): Side[] => [
  ...(isOther(opening, neighbours.closingBefore) ? (['before'] as const) : []),
  ...(isOther(closing, neighbours.openingAfter) ? (['after'] as const) : []),
];

/**
 * Months for which the bank is asked now: neighbours that contradict the statement, and the month after it if the month
 * previously ended with another balance. The month after is also requested if the month is stored and nothing is known
 * about the month after, because only that reveals a truncated statement whose own arithmetic is right.
 */
export const monthsInDoubt = (
  own: Balances,
  known: KnownAccounts | undefined,
  account: string,
  period: string,
): string[] => {
  const { before, after } = monthsBeside(period);
  const neighbours = knownNeighbours(known, account, period);
  const odd = new Set<string>(misfits(own, neighbours));
  const earlier = knownHeads(known, account, period);
  if (earlier && neighbours.openingAfter === undefined) odd.add('after');
  if (earlier?.isOpen === false && isOther(own.closing, earlier.closing)) odd.add('after');
  return [...(odd.has('before') ? [before] : []), ...(odd.has('after') ? [after] : [])];
};

/** Owner of the statement, and the known data of the account. */
export interface StatementOf {
  source: string;
  account: string;
  period: string;
  known?: KnownAccounts | undefined;
}

/**
 * An open statement deletes nothing, so an opening balance that differs from the previous month's closing balance is
 * only reported.
 */
export const tellOpening = ({ opening }: Balances, { source, account, period, known }: StatementOf): Parsed[] => {
  if (!isOther(opening, knownNeighbours(known, account, period).closingBefore)) return [];
  const message = `${period}: the open statement of an account does not begin with the balance that the month before ended with.`;
  return [notice(noticeCode(`${source}.movements`, 'opening_differs'), message)];
};

export interface ChainCheck extends StatementOf {
  /** Balances that the bank now reports for the neighbouring months. */
  now: Neighbours;
  refusal(odd: Side): SourceError;
}

/**
 * Throws if the bank's current answers contradict the statement. Returns false if only stored data of a neighbouring
 * month contradicts it.
 */
export function* checkChain(
  own: Balances,
  { source, account, period, known, now, refusal }: ChainCheck,
): Generator<Parsed, boolean> {
  const [odd] = misfits(own, now);
  if (odd) throw refusal(odd);
  const was = knownNeighbours(known, account, period);
  yield* tellOutdated(noticeCode(`${source}.movements`, 'stored_differs'), period, was, now);
  const doubtful = misfits(own, {
    closingBefore: now.closingBefore === undefined ? was.closingBefore : undefined,
    openingAfter: now.openingAfter === undefined ? was.openingAfter : undefined,
  }).map((side) => monthsBeside(period)[side]);
  if (doubtful.length === 0) return true;
  const months = doubtful.join(' and ');
  const message = `${period}: the closed statement of an account contradicts the stored data of ${months}, and the bank does not show ${months} now. Its movements are provisional and change no stored data.`;
  yield notice(noticeCode(`${source}.movements`, 'statement_doubtful'), message);
  return false;
}

/** Heads to store for a closed statement in doubt; no heads if an earlier sync read the statement with movements. */
export const headsInDoubt = (
  heads: StatementHeads,
  before: StatementHeads | undefined,
): { statement: StatementHeads } | object =>
  before === undefined || before.rows === 0 ? { statement: { ...heads, isOpen: true } } : {};

/** A statement without movements deletes none; a notice reports it if an earlier sync read some. */
export const tellNothingShown = (source: string, period: string, before: StatementHeads | undefined): Parsed[] => {
  if (before === undefined || before.rows === 0) return [];
  const message = `${period}: the bank shows no movements of an account, but an earlier sync read some. They stay stored.`;
  return [notice(noticeCode(`${source}.movements`, 'nothing_shown'), message)];
};

/**
 * Reports months whose stored balances differ from the bank's current answer, because they must be synchronized again.
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
    ),
  );
};
