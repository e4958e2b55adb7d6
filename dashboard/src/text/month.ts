/** Months as the API writes them (`2026-11`): their names for the reader, and the months before and after. */
import { locale } from './language.ts';

const NAME = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });

/** Formats `2026-11` as `nov 2026`. A text that is no month stays unchanged. */
export const month = (period: string): string => {
  const [, year = '', number = ''] = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(period) ?? [];
  if (year === '') return period;
  return `${NAME.format(Date.UTC(2000, Number(number) - 1, 1)).slice(0, 3)} ${year}`;
};

/** Returns the month that comes `by` months later, or earlier if `by` is negative. */
export const addMonths = (period: string, by: number): string => {
  const at = Number(period.slice(0, 4)) * 12 + Number(period.slice(5, 7)) - 1 + by;
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
};

/** Returns the months from `first` to `last`, newest first. */
export const listMonths = (first: string, last: string): string[] => {
  const months: string[] = [];
  for (let each = last; each >= first; each = addMonths(each, -1)) months.push(each);
  return months;
};

const DATE = new Intl.DateTimeFormat('en', { year: 'numeric', month: '2-digit', timeZone: 'America/Santiago' });

/** Returns the month of an instant in Santiago, such as `2026-11`. */
export const monthAt = (ms: number): string => {
  const parts = new Map(DATE.formatToParts(ms).map(({ type, value }) => [type, value]));
  return `${parts.get('year')}-${parts.get('month')}`;
};

/** Returns the last month that is over in Chile, as `2026-10`. */
export const lastEndedMonth = (nowMs: number): string => addMonths(monthAt(nowMs), -1);
