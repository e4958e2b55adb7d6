/** Days and months that all institutions use. Days are YYYY-MM-DD, months YYYY-MM. */
import { addMonths, DAY_MS, findLastDay, ZONE } from '#shared/values/dates.ts';

export const twoDigits = (n: number): string => String(n).padStart(2, '0');

const msOf = (day: string): number => Date.parse(`${day}T00:00:00Z`);
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (day: string, days: number): string => dayAt(msOf(day) + days * DAY_MS);
export const daysBetween = (from: string, to: string): number => Math.round((msOf(to) - msOf(from)) / DAY_MS);
export const daysIn = (period: string): number =>
  new Date(Date.UTC(Number(period.slice(0, 4)), Number(period.slice(5)), 0)).getUTCDate();
export const formatDay = (period: string, day: number): string => `${period}-${twoDigits(day)}`;
/** Adds months to a day; the result is at most the last day of its month. */
export const addMonthsTo = (day: string, months: number): string => {
  const period = addMonths(day.slice(0, 7), months);
  const last = findLastDay(period);
  return day.slice(8) > last.slice(8) ? last : `${period}${day.slice(7)}`;
};
/** Returns the day of the week, from 1 (Monday) to 7 (Sunday). */
export const findWeekday = (day: string): number => new Date(msOf(day)).getUTCDay() || 7;

/** Writes `2025-02-03` as `03/02/2025`. */
export const slashed = (day: string): string => day.split('-').toReversed().join('/');
/** Converts `03/02/2025`, with any text after it, to `2025-02-03`. */
export const fromSlashed = (text: string): string => `${text.slice(6, 10)}-${text.slice(3, 5)}-${text.slice(0, 2)}`;

/** The Swedish locale writes days as ISO does. */
const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short', timeStyle: 'medium' });
/** Writes an instant in Santiago time: `2025-02-03 16:30:02`. */
export const formatWall = (ms: number): string => wall.format(ms);
