/**
 * A closed statement begins where the month before ended, and the month after begins where it ends. What earlier
 * readings told of those months raises the question, and the bank's own answer of now decides it: a lie that was stored
 * once must not refuse what is right.
 */
import { Big } from 'big.js';
import { addMonths } from '#shared/domain/dates.ts';
import type { KnownAccounts, StatementHeads } from '#shared/domain/known-accounts.ts';
import { accountKey } from '#shared/domain/statements.ts';
import type { Parsed } from '../source.ts';

export type Balances = Pick<StatementHeads, 'opening' | 'closing'>;

/** Balances at the two ends of a month, as its neighbours tell them; undefined: not known. */
export interface Neighbours {
  closingBefore?: string | undefined;
  openingAfter?: string | undefined;
}

export const monthsBeside = (period: string): { before: string; after: string } => ({
  before: addMonths(period, -1),
  after: addMonths(period, 1),
});

/** An open statement's closing balance is not the last word on its month. */
export const knownNeighbours = (known: KnownAccounts | undefined, account: string, period: string): Neighbours => {
  const { before, after } = monthsBeside(period);
  const headsOf = (month: string) => known?.statements[month]?.[accountKey(account)];
  const earlier = headsOf(before);
  return {
    closingBefore: earlier?.isOpen === false ? earlier.closing : undefined,
    openingAfter: headsOf(after)?.opening,
  };
};

const isOther = (balance: string, told: string | undefined): boolean =>
  told !== undefined && !new Big(balance).eq(told);

/** Which neighbours the statement does not fit to. */
export const misfits = ({ opening, closing }: Balances, neighbours: Neighbours): ('before' | 'after')[] => [
  ...(isOther(opening, neighbours.closingBefore) ? (['before'] as const) : []),
  ...(isOther(closing, neighbours.openingAfter) ? (['after'] as const) : []),
];

/**
 * Months of which the bank is asked now: neighbours that the statement does not fit to, and the one after when the month
 * itself ended otherwise before. Where rows of the month are stored and nothing is known of the month after, it is asked
 * for as well: half a month, right in itself, is known by that alone.
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
  const earlier = known?.statements[period]?.[accountKey(account)];
  if (earlier && neighbours.openingAfter === undefined) odd.add('after');
  if (earlier?.isOpen === false && isOther(own.closing, earlier.closing)) odd.add('after');
  return [...(odd.has('before') ? [before] : []), ...(odd.has('after') ? [after] : [])];
};

/** What the bank answers now counts before what was known. */
export const latest = (was: Neighbours, now: Neighbours): Neighbours => ({
  closingBefore: now.closingBefore ?? was.closingBefore,
  openingAfter: now.openingAfter ?? was.openingAfter,
});

/** An open statement deletes nothing: that it does not begin where the month before ended is told. */
export const tellOpening = (
  source: string,
  account: string,
  { opening }: Balances,
  period: string,
  known: KnownAccounts | undefined,
): Parsed[] => {
  if (!isOther(opening, knownNeighbours(known, account, period).closingBefore)) return [];
  const message = `${period}: the open statement of an account does not begin with the balance that the month before ended with.`;
  return [{ notice: { code: `${source}.movements.opening_differs`, message } }];
};

/** What stored rows of a month beside say, and the bank says otherwise now: told, for that month is to be read again. */
export const tellOutdated = (code: string, period: string, known: Neighbours, now: Neighbours): Parsed[] => {
  const { before, after } = monthsBeside(period);
  const differs = (was: string | undefined, is: string | undefined) => is !== undefined && isOther(is, was);
  const months = [
    ...(differs(known.closingBefore, now.closingBefore) ? [before] : []),
    ...(differs(known.openingAfter, now.openingAfter) ? [after] : []),
  ];
  return months.map((month) => {
    const message = `The bank's statement of ${month} now has another opening or closing balance than the one that was read before: synchronize ${month} again.`;
    return { notice: { code, message } };
  });
};
