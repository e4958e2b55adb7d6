/** Sums of the rows that came beside the totals that the same source tells, where they cannot both be true. */
import type { Sum } from '#shared/values/decimal-sum.ts';
import { unexpected } from '../parsing/results.ts';

/** Figure → what the source says; null where this answer does not say. */
export type FigureTotals<Figure extends string> = Readonly<Record<Figure, string | null>>;

/** A sum of nothing beside a total of something is refused: the amounts are not there. Other differences are told. */
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
