/**
 * Compares the sums of the received rows with the totals that the source reports, and rejects impossible combinations.
 */
import type { Sum } from '#shared/values/decimal-sum.ts';
import { unexpected } from '../parsing/results.ts';

/** Maps each figure to the source's total; null when the answer does not contain the total. */
export type FigureTotals<Figure extends string> = Readonly<Record<Figure, string | null>>;

/** Throws when the amounts of all rows are missing but the total is not zero. Any other difference is reported. */
export const refuseEmptySums = <Figure extends string>(
  what: string,
  theirs: FigureTotals<Figure>,
  ours: Readonly<Record<Figure, Sum>>,
): void => {
  for (const figure of Object.keys(ours) as Figure[]) {
    const told = theirs[figure];
    if (told === null) continue;
    const sum = ours[figure].value();
    if (sum.eq(0) && !sum.eq(told)) throw unexpected(what, `the rows hold no ${figure}, and the totals do`);
  }
};
