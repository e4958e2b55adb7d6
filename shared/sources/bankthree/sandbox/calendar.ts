/** Days and months of the bank, in Santiago. */
import { addMonths } from '#shared/values/dates.ts';
import { formatWall } from '../../sandbox-kit/calendar.ts';

/** Returns the time in Santiago, such as `16:30`. */
export const santiagoTime = (ms: number): string => formatWall(ms).slice(11, 16);

/** True daily from 23:30 to 00:30 (banks.md §3.3, errors). */
export const isNight = (ms: number): boolean => {
  const time = santiagoTime(ms);
  return time >= '23:30' || time < '00:30';
};

/** Number of months for which statements are available (§3.3: "up to 24"). */
const DEPTH_MONTHS = 24;

/** Returns the closed months that have a statement, newest first. */
export const closedMonths = (currentPeriod: string, delayMonths: number, isNew: boolean): string[] => {
  const oldest = addMonths(currentPeriod, isNew ? -1 : -DEPTH_MONTHS);
  const months: string[] = [];
  for (let month = addMonths(currentPeriod, -1 - delayMonths); month >= oldest; month = addMonths(month, -1)) {
    months.push(month);
  }
  return months;
};
