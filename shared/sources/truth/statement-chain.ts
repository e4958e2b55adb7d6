/**
 * A closed statement begins where the month before ended, and the month after begins where it ends. What earlier
 * readings told of those months raises the question, and the bank's own answer of now decides it. Where the bank does
 * not answer, nobody knows which of the two is wrong: the statement comes in, and changes nothing.
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

/** Balances at the two ends of a month, as its neighbours tell them; undefined: not known. */
export interface Neighbours {
  closingBefore?: string | undefined;
  openingAfter?: string | undefined;
}

export const monthsBeside = (period: string): { before: string; after: string } => ({
  before: addMonths(period, -1),
  after: addMonths(period, 1),
});

/** What is stored of an account's statement of a month. */
export const knownHeads = (
  known: KnownAccounts | undefined,
  account: string,
  period: string,
): StatementHeads | undefined => known?.statements[period]?.[accountKey(account)];

/** An open statement's closing balance is not the last word on its month. */
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

/** Which neighbours the statement does not fit to. */
const misfits = ({ opening, closing }: StatementBalances, neighbours: Neighbours): ChainSide[] => [
  ...(isOther(opening, neighbours.closingBefore) ? (['before'] as const) : []),
  ...(isOther(closing, neighbours.openingAfter) ? (['after'] as const) : []),
];

/**
 * Months of which the bank is asked now: neighbours that the statement does not fit to, and the one after when the month
 * itself ended otherwise before. Where rows of the month are stored and nothing is known of the month after, it is asked
 * for as well: half a month, right in itself, is known by that alone.
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
  if (earlier?.isOpen === false && isOther(own.closing, earlier.closing)) odd.add('after');
  return [...(odd.has('before') ? [before] : []), ...(odd.has('after') ? [after] : [])];
};

/** Whose statement it is, and what is known of the account. */
export interface StatementOf {
  source: string;
  account: string;
  period: string;
  known?: KnownAccounts | undefined;
}

/** An open statement deletes nothing: that it does not begin where the month before ended is told. */
export const tellOpening = (
  { opening }: StatementBalances,
  { source, account, period, known }: StatementOf,
): Parsed[] => {
  if (!isOther(opening, knownNeighbours(known, account, period).closingBefore)) return [];
  const message = `${period}: the open statement of an account does not begin with the balance that the month before ended with.`;
  return [notice(noticeCode(`${source}.movements`, 'opening_differs'), message)];
};

export interface ChainCheck extends StatementOf {
  /** What the bank answers now of the months beside. */
  now: Neighbours;
  refusal(odd: ChainSide): SourceError;
}

/** Refuses what the bank's answers of now contradict. False: what is stored of a month beside contradicts it alone. */
export function* checkChain(
  own: StatementBalances,
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
  const message = `${period}: the closed statement of an account does not fit to what is stored of ${months}, and the bank does not show ${months} now. Its movements are provisional, and change nothing that is stored.`;
  yield notice(noticeCode(`${source}.movements`, 'statement_doubtful'), message);
  return false;
}

/** What is to be known of a closed statement in doubt: nothing, where one with movements was read before. */
export const headsInDoubt = (
  heads: StatementHeads,
  before: StatementHeads | undefined,
): { statement: StatementHeads } | object =>
  before === undefined || before.rows === 0 ? { statement: { ...heads, isOpen: true } } : {};

/** What has no movements deletes none, and is told beside some that were read. */
export const tellNothingShown = (source: string, period: string, before: StatementHeads | undefined): Parsed[] => {
  if (before === undefined || before.rows === 0) return [];
  const message = `${period}: the bank shows no movements of an account, and some were read before. They were kept.`;
  return [notice(noticeCode(`${source}.movements`, 'nothing_shown'), message)];
};

/** What stored rows of a month beside say, and the bank says otherwise now: told, for that month is to be read again. */
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
      `The bank's statement of ${month} now has another opening or closing balance than the one that was read before: synchronize ${month} again.`,
    ),
  );
};
