/** EventBridge Scheduler's expressions: when does a schedule fire next? */
import { Temporal } from 'temporal-polyfill';

/** The expression is one that Scheduler refuses. */
export class InvalidExpression extends Error {
  constructor(expression: string) {
    super(`Invalid Schedule Expression ${expression}.`);
    this.name = 'InvalidExpression';
  }
}

export interface ScheduleTiming {
  expression: string;
  timezone: string;
  /** Milliseconds since the epoch. */
  startMs: number | undefined;
  endMs: number | undefined;
  createdMs: number;
}

const UNIT_MS: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
/** Scheduler counts weekdays from Sunday = 1. */
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const DAYS_SEARCHED_MAX = 366 * 8;

interface Cron {
  minute: Set<number>;
  hour: Set<number>;
  day: Set<number> | undefined;
  month: Set<number>;
  weekday: Set<number> | undefined;
  year: Set<number>;
}

const numberOf = (text: string, names: string[]): number => {
  const index = names.indexOf(text.toUpperCase());
  return index >= 0 ? index + 1 : /^\d+$/.test(text) ? Number(text) : Number.NaN;
};

/** `*`, lists, ranges, steps and names; `L`, `W` and `#` are refused: nothing of ours uses them. */
const fieldOf = (text: string, min: number, max: number, names: string[] = []): Set<number> | undefined => {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [range = '', step = '1'] = part.split('/');
    const [from, to = part.includes('/') ? String(max) : from] =
      range === '*' ? [String(min), String(max)] : (range.split('-') as [string, string?]);
    const first = numberOf(from, names);
    const last = numberOf(to ?? '', names);
    if (!(first >= min && last <= max && first <= last && Number(step) >= 1)) return undefined;
    for (let value = first; value <= last; value += Number(step)) values.add(value);
  }
  return values;
};

const cronOf = (expression: string): Cron => {
  const fields = /^cron\(([^)]*)\)$/.exec(expression)?.[1]?.trim().split(/\s+/) ?? [];
  const [minutes = '', hours = '', days = '', months = '', weekdays = '', years = ''] = fields;
  const minute = fieldOf(minutes, 0, 59);
  const hour = fieldOf(hours, 0, 23);
  const day = days === '?' ? undefined : fieldOf(days, 1, 31);
  const month = fieldOf(months, 1, 12, MONTHS);
  const weekday = weekdays === '?' ? undefined : fieldOf(weekdays, 1, 7, WEEKDAYS);
  const year = fieldOf(years, 1970, 2199);
  const oneDayField = (days === '?') !== (weekdays === '?');
  if (fields.length !== 6 || !minute || !hour || !month || !year || !oneDayField || (!day && !weekday))
    throw new InvalidExpression(expression);
  return { minute, hour, day, month, weekday, year };
};

const sorted = (values: Set<number>): number[] => [...values].sort((a, b) => a - b);

const nextCron = (expression: string, timezone: string, afterMs: number): number | undefined => {
  const cron = cronOf(expression);
  let date = Temporal.Instant.fromEpochMilliseconds(afterMs).toZonedDateTimeISO(timezone).toPlainDate();
  for (let days = 0; days <= DAYS_SEARCHED_MAX; days += 1, date = date.add({ days: 1 })) {
    const isDay =
      cron.year.has(date.year) &&
      cron.month.has(date.month) &&
      (cron.day === undefined || cron.day.has(date.day)) &&
      (cron.weekday === undefined || cron.weekday.has((date.dayOfWeek % 7) + 1));
    if (!isDay) continue;
    for (const hour of sorted(cron.hour)) {
      for (const minute of sorted(cron.minute)) {
        const at = date.toZonedDateTime({ timeZone: timezone, plainTime: { hour, minute } });
        // An hour that daylight saving leaves out is moved by Temporal: then it is not this hour.
        if (at.hour === hour && at.epochMilliseconds > afterMs) return at.epochMilliseconds;
      }
    }
  }
  return undefined;
};

const rateOf = (expression: string): number => {
  const [, value = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  const everyMs = Number(value) * (UNIT_MS[unit] ?? Number.NaN);
  if (!(everyMs > 0)) throw new InvalidExpression(expression);
  return everyMs;
};

const atOf = (expression: string, timezone: string): number => {
  const local = /^at\((\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\)$/.exec(expression)?.[1];
  if (local === undefined) throw new InvalidExpression(expression);
  return Temporal.PlainDateTime.from(local).toZonedDateTime(timezone).epochMilliseconds;
};

/**
 * First firing after `afterMs`, or undefined when there is none. A rate without start fires at once on creation.
 * Throws `InvalidExpression`.
 */
export const nextFiringMs = (timing: ScheduleTiming, afterMs: number): number | undefined => {
  const { expression, timezone, startMs, endMs, createdMs } = timing;
  const bounded = (ms: number | undefined) =>
    ms === undefined || (endMs !== undefined && ms > endMs) ? undefined : ms;
  if (expression.startsWith('rate(')) {
    const everyMs = rateOf(expression);
    const originMs = startMs ?? createdMs;
    const periods = Math.max(0, Math.floor((afterMs - originMs) / everyMs) + 1);
    return bounded(originMs + periods * everyMs);
  }
  if (expression.startsWith('at(')) {
    const atMs = atOf(expression, timezone);
    return atMs > afterMs ? bounded(atMs) : undefined;
  }
  if (expression.startsWith('cron('))
    return bounded(nextCron(expression, timezone, Math.max(afterMs, (startMs ?? afterMs + 1) - 1)));
  throw new InvalidExpression(expression);
};

/** Latest firing in (`afterMs`, `untilMs`], or undefined when none falls there. Throws `InvalidExpression`. */
export const lastFiringMs = (timing: ScheduleTiming, afterMs: number, untilMs: number): number | undefined => {
  const first = nextFiringMs(timing, afterMs);
  if (first === undefined || first > untilMs) return undefined;
  if (timing.expression.startsWith('rate(')) {
    const everyMs = rateOf(timing.expression);
    const boundMs = Math.min(untilMs, timing.endMs ?? untilMs);
    return first + Math.floor((boundMs - first) / everyMs) * everyMs;
  }
  let last = first;
  for (let next = nextFiringMs(timing, last); next !== undefined && next <= untilMs; next = nextFiringMs(timing, last))
    last = next;
  return last;
};
