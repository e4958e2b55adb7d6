/** Months that a connection lacks because nobody asked for them. */
import { addMonths, lastEndedMonth, listMonths } from '../text/month.ts';

export interface MonthRange {
  first: string;
  last: string;
}

/**
 * Returns the ranges of months that were never requested, between the oldest requested month and the last month that is
 * over in Chile, oldest first.
 * @param periods the requested months; null for a scope without months
 */
export const listUnasked = (periods: readonly (string | null)[], nowMs: number): MonthRange[] => {
  const requested = new Set(periods);
  const [oldest] = periods.filter((period) => period !== null).sort();
  if (oldest === undefined) return [];
  const ranges: MonthRange[] = [];
  const unasked = listMonths(oldest, lastEndedMonth(nowMs)).filter((month) => !requested.has(month));
  for (const month of unasked.reverse()) {
    const open = ranges.at(-1);
    if (open && addMonths(open.last, 1) === month) open.last = month;
    else ranges.push({ first: month, last: month });
  }
  return ranges;
};
