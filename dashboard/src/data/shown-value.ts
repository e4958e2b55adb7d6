/** Formats a value of a row for people. */
import { common } from '../text/common-texts.ts';
import { count, instant, money } from '../text/format.ts';
import { locale } from '../text/language.ts';
import type { Field } from './resource.ts';
import { choiceWord } from './words.ts';

const MONTH = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });
const DAY = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone: 'UTC' });

/** Formats a month: `2026-10` becomes `oct 2026`. */
export const month = (period: string): string => MONTH.format(new Date(`${period}-01T00:00:00Z`));

/** Formats a day without a time in UTC. In another time zone the result could be the previous day. */
export const plainDay = (day: string): string => DAY.format(new Date(`${day}T00:00:00Z`));

/** Matches fields whose codes have names here, although the schema does not list the codes. */
const CODED = /(?:^|_)document_type$/;

/** Returns the value as text; null when there is no value to show. */
export const shownValue = ({ name, kind }: Field, value: unknown): string | null => {
  if (value === null || value === undefined || value === '') return null;
  if (typeof value === 'boolean') return common.say(value ? 'yes' : 'no');
  if (typeof value === 'number') return count(value);
  if (typeof value === 'object') return JSON.stringify(value);
  const text = String(value);
  if (kind === 'decimal') return money(text);
  if (kind === 'instant') return instant(text);
  if (kind === 'day') return plainDay(text);
  if (kind === 'period') return month(text);
  return kind === 'choice' || CODED.test(name) ? choiceWord(name, text) : text;
};

export const isNumeric = ({ kind }: Field): boolean => kind === 'decimal' || kind === 'integer';
