/**
 * Reads the list of closed statements of a year: the folio of each month, and the months that the list omits (banks.md
 * §3.1).
 */
import { periodsBetween } from '#shared/values/dates.ts';
import { unexpected } from '../parsing/results.ts';
import { unreadable } from '../parsing/values.ts';
import type { RawAnswer } from '../source.ts';
import { parseBody, rowsIn } from './kept.ts';
import { readKey } from './values.ts';

interface Folio {
  folio: string;
  period: string;
}

const MONTH = /^\d{4}-(?:0[1-9]|1[0-2])$/;

const foliosIn = (answer: RawAnswer): Folio[] => {
  const body = parseBody(answer);
  if (body === null) return [];
  return [...rowsIn(body, 'cartolas', answer.key)].map(({ raw, place }) => {
    const period = readKey(raw, 'periodo', place);
    if (!MONTH.test(period)) throw unreadable(place, 'periodo', 'is not a month yyyy-mm');
    return { folio: readKey(raw, 'folio', place), period };
  });
};

/**
 * Returns the folio of a month's statement. Undefined while the statement is not published, and for a month in which
 * the account did not exist.
 */
export const findFolio = (answer: RawAnswer, period: string): string | undefined => {
  const folios = foliosIn(answer).filter((one) => one.period === period);
  // No known client of the bank received several statements for one month, and choosing one of the statements would be
  // a guess.
  if (folios.length > 1) throw unexpected(answer.key, `several statements of ${period}`);
  return folios[0]?.folio;
};

/**
 * Returns the months that the list omits: from the first listed month to the last listed month or the requested month,
 * whichever is later.
 */
export const monthsLeftOut = (answer: RawAnswer, period: string): string[] => {
  const listed = new Set(foliosIn(answer).map((one) => one.period));
  const first = [...listed].sort()[0];
  if (first === undefined) return [];
  const last = [...listed, period].sort().at(-1)!;
  return periodsBetween(first, last).filter((month) => !listed.has(month));
};
