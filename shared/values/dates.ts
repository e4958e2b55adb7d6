/**
 * Days and months. Every zone-less value of a Chilean source is America/Santiago (tax.md §4.3, banks.md part 2). Nothing
 * but the platform: every endpoint that speaks of days has this in its bundle; wall times are in `wall-time.ts`.
 */
export const ZONE = 'America/Santiago';

const pad = (n: number, width = 2): string => String(n).padStart(width, '0');

/** Made when a day is asked for: the first one is 10 ms of a start. */
let days: Intl.DateTimeFormat | undefined;

/** Milliseconds of an instant → the Santiago day it falls on, YYYY-MM-DD. */
export const santiagoDay = (ms: number): string => {
  // Swedish writes days as ISO does.
  days ??= new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' });
  return days.format(ms);
};

/** Milliseconds of an instant → the Santiago month it falls in, YYYY-MM. */
export const santiagoPeriod = (ms: number): string => santiagoDay(ms).slice(0, 7);

export const DAY_MS = 86_400_000;
const KNOWN_DAYS_MAX = 5_000;

/** `work` done once a day: a month of documents asks for the same thirty again and again. */
export const memoizeByDay = <T>(work: (day: string) => T): ((day: string) => T) => {
  const known = new Map<string, T>();
  return (day) => {
    const before = known.get(day);
    if (before !== undefined) return before;
    if (known.size >= KNOWN_DAYS_MAX) known.clear();
    const value = work(day);
    known.set(day, value);
    return value;
  };
};

/** No zone is further than a day from UTC, and local days never go back. */
const firstInstantOf = (day: string): number => {
  const utcMs = Date.parse(`${day}T00:00:00.000Z`);
  let [before, within] = [utcMs - DAY_MS, utcMs + DAY_MS];
  while (within - before > 1) {
    const middle = Math.floor((before + within) / 2);
    if (santiagoDay(middle) < day) before = middle;
    else within = middle;
  }
  return within;
};

/** Start of a Santiago day in epoch ms: not always 00:00, the clocks are put forward at midnight. */
export const santiagoMidnightMs = memoizeByDay(firstInstantOf);

export const santiagoMidnight = (day: string): string => new Date(santiagoMidnightMs(day)).toISOString();

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

export const isRealDay = (day: string): boolean => {
  if (!DAY.test(day)) return false;
  // Every month has 28 days: the calendar is asked about the last three alone.
  if (day.slice(8) <= '28') return true;
  const date = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** `2026-10` plus months (negative allowed) → `2026-09`. */
export const addMonths = (period: string, months: number): string => {
  const index = Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1 + months;
  return `${pad(Math.floor(index / 12), 4)}-${pad((index % 12) + 1)}`;
};

/** YYYY-MM → YYYY-MM-DD. */
export const findLastDay = (period: string): string => {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/** All periods from `first` to `last`, both included, oldest first. */
export const periodsBetween = (first: string, last: string): string[] => {
  const periods: string[] = [];
  for (let p = first; p <= last; p = addMonths(p, 1)) periods.push(p);
  return periods;
};
