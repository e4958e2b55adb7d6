/** Days and times of the portal: Santiago time without zone (banks.md part 2). */
import { isRealDay } from '#shared/values/dates.ts';
import { addDays, findWeekday, formatWall } from '../../sandbox-kit/calendar.ts';

export const compact = (day: string): string => day.replaceAll('-', '');

/** Milliseconds → `yyyymmdd HH:mm:ss`. */
export const formatStamp = (ms: number): string => compact(formatWall(ms));

/** `yyyymmdd` → YYYY-MM-DD; undefined for a day that does not exist. */
export const expand = (text: unknown): string | undefined => {
  if (typeof text !== 'string' || !/^\d{8}$/.test(text)) return undefined;
  const day = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
  return isRealDay(day) ? day : undefined;
};

/** Saturday and Sunday are not banking days; the simulator has no other holidays. */
export const bankingDay = (day: string): string => {
  const weekday = findWeekday(day);
  return weekday <= 5 ? day : addDays(day, 8 - weekday);
};
