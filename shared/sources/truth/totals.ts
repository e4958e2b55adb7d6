/** Compares sums of the received rows with the totals of the same source, and rejects impossible combinations. */
import type { Sum } from '#shared/values/decimal-sum.ts';
import { unexpected } from '../parsing/results.ts';

/** Figure → value of the source; null when this answer does not contain it. */
export type FigureTotals<Figure extends string> = Readonly<Record<Figure, string | null>>;

/** Throws when all amounts are missing but the total is not zero. Other differences are reported. */
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
