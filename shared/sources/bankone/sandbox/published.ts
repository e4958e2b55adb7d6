/**
 * The months whose closed statements are published: 24 months, each from the first banking day after the month
 * (banks.md §3.1).
 */
import { addMonths } from '#shared/values/dates.ts';
import { bankingDay } from './calendar.ts';

const DEPTH_MONTHS = 24;

export const publishedOn = (period: string): string => bankingDay(`${addMonths(period, 1)}-01`);

/** Returns the published months, newest first. */
export const publishedPeriods = (today: string): string[] => {
  const current = today.slice(0, 7);
  return Array.from({ length: DEPTH_MONTHS }, (_, i) => addMonths(current, -1 - i)).filter(
    (period) => publishedOn(period) <= today,
  );
};

/** Returns the number of a statement: the number of months since 2000. */
export const numberStatement = (period: string): string =>
  String((Number(period.slice(0, 4)) - 2000) * 12 + Number(period.slice(5))).padStart(5, '0');
