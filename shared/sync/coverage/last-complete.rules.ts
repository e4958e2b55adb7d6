/** The last month up to which a reader may rely on a connection. Pure. */
import type { TotalsVerdict } from '#shared/rows/item/totals.rules.ts';
import type { PeriodState } from './coverage.rules.ts';

/** A month of a scope as GET /coverage reports it. */
export interface ReportedMonth {
  period: string | null;
  state: PeriodState;
  /** True if the month is not over or has provisional rows. */
  isOpen: boolean;
  verdict: TotalsVerdict;
}

const isDone = ({ state, isOpen, verdict }: ReportedMonth): boolean =>
  state === 'complete' && !isOpen && verdict !== 'differs';

const later = (one: string | undefined, other: string): string => (one === undefined || other > one ? other : one);

/**
 * Returns the last month, YYYY-MM, that is over and complete in every scope. Undefined if no month is.
 * @param scopes the months of each scope that is read by month
 */
export const findLastComplete = (scopes: readonly (readonly ReportedMonth[])[]): string | undefined => {
  const complete = scopes.map(
    (months) => new Set(months.filter(isDone).flatMap(({ period }) => (period === null ? [] : [period]))),
  );
  const [first = new Set<string>(), ...others] = complete;
  return [...first]
    .filter((period) => others.every((known) => known.has(period)))
    .reduce<string | undefined>(later, undefined);
};
