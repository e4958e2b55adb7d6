/** Days and instants. Every zone-less value of a Chilean source is America/Santiago (tax.md §4.3, banks.md part 2). */
import { Temporal } from 'temporal-polyfill';

export const ZONE = 'America/Santiago';

const pad = (n: number, width = 2): string => String(n).padStart(width, '0');

/** Milliseconds of an instant → the Santiago day it falls on, YYYY-MM-DD. */
export const santiagoDay = (ms: number): string =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE).toPlainDate().toString();

/** Milliseconds of an instant → the Santiago month it falls in, YYYY-MM. */
export const santiagoPeriod = (ms: number): string => santiagoDay(ms).slice(0, 7);

const midnightOffsets = new Map<string, number>();

/** Start of a Santiago day in epoch ms. Cached by day: a month of documents asks for the same thirty again and again. */
const santiagoMidnightMs = (day: string): number => {
  let ms = midnightOffsets.get(day);
  if (ms === undefined) {
    ms = Temporal.PlainDate.from(day).toZonedDateTime(ZONE).epochMilliseconds;
    if (midnightOffsets.size > 5000) midnightOffsets.clear();
    midnightOffsets.set(day, ms);
  }
  return ms;
};

/** First instant of a Santiago day: not always 00:00, the clocks are put forward at midnight. */
export const santiagoMidnight = (day: string): string => new Date(santiagoMidnightMs(day)).toISOString();

/** Does this Santiago day have a change of the clocks? Then wall time must go through the zone rules. */
const nextDay = (day: string): string => Temporal.PlainDate.from(day).add({ days: 1 }).toString();
const changeDays = new Map<string, boolean>();
const hasClockChange = (day: string): boolean => {
  let changes = changeDays.get(day);
  if (changes === undefined) {
    changes = santiagoMidnightMs(nextDay(day)) - santiagoMidnightMs(day) !== 86_400_000;
    if (changeDays.size > 5000) changeDays.clear();
    changeDays.set(day, changes);
  }
  return changes;
};

/** Santiago wall time → UTC instant with milliseconds. An hour that happens twice is read as its first pass. */
export const santiagoInstant = (day: string, hour: number, minute: number, second: number): string => {
  if (hasClockChange(day)) {
    const wall = Temporal.PlainDateTime.from(`${day}T${pad(hour)}:${pad(minute)}:${pad(second)}`);
    return new Date(wall.toZonedDateTime(ZONE, { disambiguation: 'earlier' }).epochMilliseconds).toISOString();
  }
  return new Date(santiagoMidnightMs(day) + ((hour * 60 + minute) * 60 + second) * 1000).toISOString();
};

export const isRealDay = (day: string): boolean => {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(day);
  if (!match) return false;
  const date = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** `2026-10` plus months (negative allowed) → `2026-09`. */
export const addMonths = (period: string, months: number): string => {
  const index = Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1 + months;
  return `${pad(Math.floor(index / 12), 4)}-${pad((index % 12) + 1)}`;
};

/** All periods from `first` to `last`, both included, oldest first. */
export const periodsBetween = (first: string, last: string): string[] => {
  const periods: string[] = [];
  for (let p = first; p <= last; p = addMonths(p, 1)) periods.push(p);
  return periods;
};
