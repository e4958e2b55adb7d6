/**
 * Plans which months a sync reads (decisions.md §5): the requested months; otherwise the current and the previous
 * month; for a first sync, the backfill.
 */
import { addMonths, periodsBetween } from '#shared/values/dates.ts';

export interface PeriodInput {
  periods?: string[] | undefined;
  from_period?: string | undefined;
  to_period?: string | undefined;
}

/**
 * Separates the requested months that have begun from the months that have not. `current` is the current Santiago
 * month.
 */
export const splitBegun = (periods: readonly string[], current: string): { begun: string[]; notBegun: string[] } => ({
  begun: periods.filter((period) => period <= current),
  notBegun: periods.filter((period) => period > current),
});

/**
 * Returns the months to read, oldest month first. If a document moved to a later month, the later month is read last,
 * so its reading wins. `current` is the current Santiago month.
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
