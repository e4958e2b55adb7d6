/** Days and times of the portal: Santiago, without zone (banks.md part 2). */
import { Temporal } from 'temporal-polyfill';
import { ZONE } from '#shared/values/dates.ts';

/** Milliseconds → `yyyymmdd HH:mm:ss`. */
export const stampOf = (ms: number): string => {
  const wall = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE).toPlainDateTime();
  return wall.toString({ smallestUnit: 'second' }).replaceAll('-', '').replace('T', ' ');
};

/** YYYY-MM-DD → `dd/mm/yyyy`. */
export const slashed = (day: string): string => day.split('-').reverse().join('/');

export const compact = (day: string): string => day.replaceAll('-', '');

/** `yyyymmdd` → YYYY-MM-DD; undefined when it is no day that exists. */
export const expand = (text: unknown): string | undefined => {
  const match = typeof text === 'string' ? /^(\d{4})(\d{2})(\d{2})$/.exec(text) : null;
  if (!match) return undefined;
  try {
    const [, year, month, day] = match.map(Number);
    return Temporal.PlainDate.from({ year: year!, month: month!, day: day! }, { overflow: 'reject' }).toString();
  } catch {
    return undefined;
  }
};

export const addDays = (day: string, days: number): string => Temporal.PlainDate.from(day).add({ days }).toString();
export const minusMonths = (day: string, months: number): string =>
  Temporal.PlainDate.from(day).subtract({ months }).toString();
export const daysBetween = (from: string, to: string): number =>
  Temporal.PlainDate.from(from).until(Temporal.PlainDate.from(to)).days;
export const daysIn = (period: string): number => Temporal.PlainYearMonth.from(period).daysInMonth;

/** Saturday and Sunday are no banking days; the simulator has no other holidays. */
export const bankingDay = (day: string): string => {
  const weekday = Temporal.PlainDate.from(day).dayOfWeek;
  return weekday <= 5 ? day : addDays(day, 8 - weekday);
};

export const dayOfWeek = (day: string): number => Temporal.PlainDate.from(day).dayOfWeek;
