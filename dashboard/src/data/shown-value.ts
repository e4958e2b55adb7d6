/** Formats days of rows for people. */
import { locale } from '../text/language.ts';

const DAY = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a day without a time in UTC. In another time zone the result could be the previous day. */
export const plainDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));
