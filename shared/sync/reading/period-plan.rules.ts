/** Which months a sync reads (decisions.md §5): what was asked, else the current and the previous one, else the backfill. */
import { addMonths, periodsBetween } from '#shared/values/dates.ts';

export interface PeriodInput {
  periods?: string[] | undefined;
  from_period?: string | undefined;
  to_period?: string | undefined;
}

/** The months asked for that there are, and those that have not begun. `current` is the Santiago month of now. */
export const splitBegun = (periods: readonly string[], current: string): { begun: string[]; notBegun: string[] } => ({
  begun: periods.filter((period) => period <= current),
  notBegun: periods.filter((period) => period > current),
});

/**
 * Oldest first: a document that moved to a later month is read there last, and the last reading wins.
 * `current` is the Santiago month of now.
 */
export const planPeriods = (
  input: PeriodInput,
  current: string,
  { everSynced, backfillMonths }: { everSynced: boolean; backfillMonths: number },
): string[] => {
  if (input.periods) return [...new Set(input.periods)].sort();
  if (input.from_period && input.to_period) return periodsBetween(input.from_period, input.to_period);
  const months = everSynced ? 2 : backfillMonths;
  return periodsBetween(addMonths(current, 1 - months), current);
};
