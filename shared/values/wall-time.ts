/** Wall time of America/Santiago → instants. The rules of the zone are the library's. */
import { Temporal } from 'temporal-polyfill';
import { DAY_MS, memoizeByDay, santiagoMidnightMs, ZONE } from './dates.ts';

const pad = (n: number): string => String(n).padStart(2, '0');
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00.000Z`) + DAY_MS).toISOString().slice(0, 10);

/** Does this Santiago day have a change of the clocks? Then wall time must go through the zone's rules. */
const hasClockChange = memoizeByDay((day) => santiagoMidnightMs(dayAfter(day)) - santiagoMidnightMs(day) !== DAY_MS);

/** Santiago wall time → UTC instant with milliseconds. An hour that happens twice is read as its first pass. */
export const santiagoInstant = (day: string, hour: number, minute: number, second: number): string => {
  if (hasClockChange(day)) {
    const wall = Temporal.PlainDateTime.from(`${day}T${pad(hour)}:${pad(minute)}:${pad(second)}`);
    return new Date(wall.toZonedDateTime(ZONE, { disambiguation: 'earlier' }).epochMilliseconds).toISOString();
  }
  return new Date(santiagoMidnightMs(day) + ((hour * 60 + minute) * 60 + second) * 1000).toISOString();
};
