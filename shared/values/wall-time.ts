/** Wall time of America/Santiago → instants. The rules of the zone are the library's. */
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, memoizeByDay, santiagoMidnightMs, ZONE } from './dates.ts';

const HOUR_MS = 3_600_000;
const TWO_DIGITS = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'));

const utcMidnightMs = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);
const dayAfter = memoizeByDay((day) => new Date(utcMidnightMs(day) + DAY_MS).toISOString().slice(0, 10));

/** Hours that Santiago is behind UTC all day; null on a day whose clocks change, and before whole hours were kept. */
const hoursBehindUtc = memoizeByDay((day): number | null => {
  const midnightMs = santiagoMidnightMs(day);
  const hours = (midnightMs - utcMidnightMs(day)) / HOUR_MS;
  return santiagoMidnightMs(dayAfter(day)) - midnightMs === DAY_MS && Number.isInteger(hours) ? hours : null;
});

/** Santiago wall time → UTC instant with milliseconds. An hour that happens twice is read as its first pass. */
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
