/** Sums of rows beside the totals that the source itself tells. Exact, whatever the scale. */

import { Big } from 'big.js';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { notice, unexpected } from '../parsing/results.ts';
import type { Parsed } from '../source.ts';

/** Figure → what the source says; null where this answer does not say. */
export type Totals<Figure extends string> = Readonly<Record<Figure, string | null>>;

export interface Sum {
  add(amount: string): void;
  value(): Big;
}

/** Whole amounts are added as numbers while those are exact: so many characters are one number and no other. */
const EXACT_CHARS_MAX = 15;

export const createSum = (): Sum => {
  let whole = 0;
  let rest = Big(0);
  return {
    add: (amount) => {
      const value = amount.length > EXACT_CHARS_MAX ? Number.NaN : Number(amount);
      if (Number.isInteger(value) && Number.isSafeInteger(whole + value)) whole += value;
      else rest = rest.plus(amount);
    },
    value: () => rest.plus(whole),
  };
};

export interface Difference {
  /** Whose sum it is, in words: "purchases (registro), type 33". */
  what: string;
  figure: string;
  theirs: string;
  ours: string;
}

/** Figures that differ. A sum of nothing beside a total of something is refused: the amounts are not there. */
export const compareTotals = <Figure extends string>(
  what: string,
  theirs: Totals<Figure>,
  ours: Readonly<Record<Figure, Sum>>,
): Difference[] => {
  const differences: Difference[] = [];
  for (const figure of Object.keys(ours) as Figure[]) {
    const told = theirs[figure];
    if (told === null) continue;
    const sum = ours[figure].value();
    if (sum.eq(told)) continue;
    if (sum.eq(0)) throw unexpected(what, `the rows hold no ${figure}, and the totals do`);
    differences.push({ what, figure, theirs: Big(told).toFixed(), ours: sum.toFixed() });
  }
  return differences;
};

/** One notice for all differences of a month: the first in words, the others by their number. */
export const differencesNotice = (code: NoticeCode, unit: string, differences: readonly Difference[]): Parsed[] => {
  const [first] = differences;
  if (first === undefined) return [];
  const { what, figure, theirs, ours } = first;
  const others = differences.length - 1;
  const more = others === 0 ? '' : others === 1 ? ' 1 other figure differs.' : ` ${others} other figures differ.`;
  const message = `${unit}, ${what}: the source says ${figure} ${theirs}, its rows sum up to ${ours}.${more}`;
  return [notice(code, message)];
};
