/**
 * Computes days and months. A value of a Chilean source without a time zone is in America/Santiago (tax.md §4.3,
 * banks.md part 2). This file uses no library, because every endpoint with days bundles it; wall times are in
 * `wall-time.ts`.
 */
export const ZONE = 'America/Santiago';

const pad = (n: number, width = 2): string => String(n).padStart(width, '0');

/** Created at first use, since the first formatter takes 10 ms of a cold start. */
let days: Intl.DateTimeFormat | undefined;

/**
 * Returns the Santiago day of an instant, YYYY-MM-DD.
 *
 * @param ms epoch milliseconds
 */
export const santiagoDay = (ms: number): string => {
  // The Swedish locale writes days in ISO format.
  days ??= new Intl.DateTimeFormat('sv-SE', { timeZone: ZONE, dateStyle: 'short' });
  return days.format(ms);
};

/**
 * Returns the Santiago month of an instant, YYYY-MM.
 *
 * @param ms epoch milliseconds
 */
export const santiagoPeriod = (ms: number): string => santiagoDay(ms).slice(0, 7);

export const DAY_MS = 86_400_000;
const KNOWN_DAYS_MAX = 5_000;

/** Caches the results of `work` by day, because a month of documents needs the same thirty days many times. */
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

/**
 * Returns the first instant of a Santiago day. The search is correct because no zone is more than a day from UTC, and
 * the local day never goes back to an earlier day.
 */
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

/**
 * Returns the start of a Santiago day in epoch ms. The start is not always 00:00, because the clocks are put forward at
 * midnight.
 */
export const santiagoMidnightMs = memoizeByDay(firstInstantOf);

export const santiagoMidnight = (day: string): string => new Date(santiagoMidnightMs(day)).toISOString();

const DAY = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

export const isRealDay = (day: string): boolean => {
  if (!DAY.test(day)) return false;
  // Every month has at least 28 days, so only days after the 28th need the calendar.
  if (day.slice(8) <= '28') return true;
  const date = new Date(`${day}T00:00:00.000Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

/** Returns the number of months from year 0 to a period. */
const monthIndex = (period: string): number => Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1;

/** Returns the number of months from `first` to `last`, both included; 0 or less if `last` is before `first`. */
export const countMonths = (first: string, last: string): number => monthIndex(last) - monthIndex(first) + 1;

/** Adds months to a period: `2026-10` and -1 give `2026-09`. */
export const addMonths = (period: string, months: number): string => {
  const index = monthIndex(period) + months;
  return `${pad(Math.floor(index / 12), 4)}-${pad((index % 12) + 1)}`;
};

/**
 * Returns the last day of a month, YYYY-MM-DD.
 *
 * @param period YYYY-MM
 */
export const findLastDay = (period: string): string => {
  const [year, month] = period.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, 10);
};

/** Returns all periods from `first` to `last`, both included, oldest first. */
export const periodsBetween = (first: string, last: string): string[] => {
  const periods: string[] = [];
  for (let p = first; p <= last; p = addMonths(p, 1)) periods.push(p);
  return periods;
};
