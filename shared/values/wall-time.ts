/** Converts wall time of America/Santiago to instants. A library provides the rules of the time zone. */
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, memoizeByDay, santiagoMidnightMs, ZONE } from './dates.ts';

const HOUR_MS = 3_600_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

const utcMidnightMs = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
const dayAfter = memoizeByDay((day) => new Date(utcMidnightMs(day) + DAY_MS).toISOString().slice(0, 10));

/**
 * Returns the hours that Santiago is behind UTC during the whole day. Null on a day with a clock change, and for early
 * years with offsets that are not whole hours.
 */
const hoursBehindUtc = memoizeByDay((day): number | null => {
  const midnightMs = santiagoMidnightMs(day);
  const hours = (midnightMs - utcMidnightMs(day)) / HOUR_MS;
  return santiagoMidnightMs(dayAfter(day)) - midnightMs === DAY_MS && Number.isInteger(hours) ? hours : null;
});

/**
 * Converts Santiago wall time to a UTC instant with milliseconds. In an hour that occurs twice, the first occurrence is
 * used.
 */
export const santiagoInstant = (day: string, hour: number, minute: number, second: number): string => {
  const behind = hoursBehindUtc(day);
  const time = `${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}`;
  if (behind === null) {
    const wall = Temporal.PlainDateTime.from(`${day}T${TWO_DIGITS[hour]}:${time}`);
    return new Date(wall.toZonedDateTime(ZONE, { disambiguation: 'earlier' }).epochMilliseconds).toISOString();
  }
  const utcHour = hour + behind;
  return utcHour < 24
    ? `${day}T${TWO_DIGITS[utcHour]}:${time}.000Z`
    : `${dayAfter(day)}T${TWO_DIGITS[utcHour - 24]}:${time}.000Z`;
};
