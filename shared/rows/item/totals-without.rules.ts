/** Corrects the compared totals of a month from which a later month of the run took rows. Pure. */
import { Big } from 'big.js';
import type { TotalsDefinition } from '#shared/scopes/scope.ts';
import {
  type ComparedGroup,
  type CountedRow,
  compareFigures,
  isIn,
  listed,
  type PeriodTotals,
  readGroup,
  sumByGroup,
  sumOver,
} from './totals.rules.ts';

/** True if more rows left the group than the month did not show. Only the first ids of those are known. */
const wasShown = ({ group, notShown }: ComparedGroup, left: readonly CountedRow[]): boolean => {
  const own = left.filter(({ amounts }) => isIn(readGroup(amounts), group));
  const unnamed = own.filter(({ id }) => !notShown?.ids.includes(id)).length;
  return unnamed > (notShown ? notShown.rows - notShown.ids.length : 0);
};

/**
 * Returns the totals after rows left the month, because a later month shows them. Null if not all groups are listed, or
 * if a row left that the month itself showed: then the source shows the row in both months.
 *
 * @param totals a comparison that counted these rows
 * @param left the rows as they were counted
 */
export const totalsWithout = (
  definition: TotalsDefinition,
  totals: PeriodTotals,
  left: readonly CountedRow[],
): PeriodTotals | null => {
  if (totals.leftOut > 0) return null;
  const buckets = sumByGroup(definition, left, 0);
  const ids = new Set(left.map(({ id }) => id));
  if (totals.groups.some((group) => wasShown(group, left))) return null;
  const groups = totals.groups.map(({ group, figures: known, notShown }): ComparedGroup => {
    const own = buckets.filter((bucket) => isIn(bucket.group, group));
    const figures = known.map(({ figure, institution, ours }) => {
      const less = ours === null ? null : sumOver(own, figure);
      return { figure, institution, ours: less === null ? null : Big(ours!).minus(less).toFixed() };
    });
    const rows = (notShown?.rows ?? 0) - own.reduce((all, bucket) => all + bucket.notShown.rows, 0);
    const others = notShown?.ids.filter((id) => !ids.has(id)) ?? [];
    return {
      group,
      verdict: compareFigures(figures),
      figures,
      ...(rows > 0 ? { notShown: { rows, ids: others } } : {}),
    };
  });
  return listed(groups, groups.length);
};
