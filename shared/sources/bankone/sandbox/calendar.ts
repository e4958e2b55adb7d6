/** Days and times of the portal: Santiago time without zone (banks.md part 2). */
import { isRealDay } from '#shared/values/dates.ts';
import { addDays, findWeekday, formatWall } from '../../sandbox-kit/calendar.ts';

export const compact = (day: string): string => day.replaceAll('-', '');

/** Converts milliseconds to `yyyymmdd HH:mm:ss`. */
export const formatStamp = (ms: number): string => compact(formatWall(ms));

/** Converts `yyyymmdd` to YYYY-MM-DD; returns undefined for a day that does not exist. */
export const expand = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || !/^\d{8}$/.test(text)) return undefined;
  const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return isRealDay(day) ? day : undefined;
};

/** Returns the day, or the next banking day if it is a Saturday or Sunday; the simulator has no other holidays. */
export const bankingDay = (day: string): string => {
  const weekday = findWeekday(day);
  return weekday <= 5 ? day : addDays(day, 8 - weekday);
};
