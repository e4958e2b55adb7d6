/** Days and months of the bank, in Santiago. */
import { Temporal } from 'temporal-polyfill';
import { addMonths, ZONE } from '#shared/values/dates.ts';

const at = (ms: number): Temporal.ZonedDateTime => Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE);

const pad = (n: number): string => String(n).padStart(2, '0');

/** `16:30` */
export const santiagoTime = (ms: number): string => {
  const { hour, minute } = at(ms);
  return `${pad(hour)}:${pad(minute)}`;
};

/** Daily 23:30 to 00:30 (banks.md §3.3, errors). */
export const isNight = (ms: number): boolean => {
  const time = santiagoTime(ms);
  return time >= '23:30' || time < '00:30';
};

export const daysIn = (period: string): number => Temporal.PlainYearMonth.from(period).daysInMonth;
export const dayOf = (period: string, day: number): string => `${period}-${pad(day)}`;
export const lastDayOf = (period: string): string => dayOf(period, daysIn(period));
/** `2025-02-03` → `03/02/2025` */
export const wireDay = (day: string): string => day.split('-').toReversed().join('/');

/** Statements are kept so long (§3.3: "up to 24"). */
const DEPTH_MONTHS = 24;

/** Closed months with a statement, newest first. */
export const closedMonths = (currentPeriod: string, delayMonths: number, isNew: boolean): string[] => {
  const oldest = addMonths(currentPeriod, isNew ? -1 : -DEPTH_MONTHS);
  const months: string[] = [];
  for (let month = addMonths(currentPeriod, -1 - delayMonths); month >= oldest; month = addMonths(month, -1)) {
    months.push(month);
  }
  return months;
};
