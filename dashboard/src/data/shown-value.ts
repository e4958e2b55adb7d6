/** Formats months and days of rows for people. */
import { locale } from '../text/language.ts';

const MONTH = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' });

/** Formats a month: `2026-10` becomes `oct 2026`. Names have three letters, which spreadsheets understand. */
export const month = (period: string): string =>
  `${MONTH.format(new Date(`${period}-01T00:00:00Z`)).slice(0, 3)} ${period.slice(0, 4)}`;

/** Formats a day without a time in UTC. In another time zone the result could be the previous day. */
export const plainDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));
