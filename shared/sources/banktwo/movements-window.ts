/** Days of a month that are requested: days that the bank retains, and no day in the future (banks.md §3.2). */
import { Temporal } from 'temporal-polyfill';
import { santiagoDay } from '#shared/values/dates.ts';
import type { NoticeParams } from '#shared/values/notice-params.ts';
import type { JsonObject } from '../source.ts';
import { DEPTH_MONTHS } from './limits.ts';

export interface Window {
  /** First and last accounting day, both inclusive. */
  openingDate: string;
  closingDate: string;
}

/**
 * Returns the days to request; both are `null` when there is nothing to request. The days are stored with the list of
 * accounts, so that a cursor stays valid after midnight.
 */
export const buildMonthWindow = (period: string, nowMs: number): JsonObject => {
  const month = Temporal.PlainYearMonth.from(period);
  const first = month.toPlainDate({ day: 1 });
  const last = month.toPlainDate({ day: month.daysInMonth });
  const today = Temporal.PlainDate.from(santiagoDay(nowMs));
  const earliest = today.subtract({ months: DEPTH_MONTHS });
  const [opening, closing] = [later(first, earliest), earlier(last, today)];
  const isEmpty = Temporal.PlainDate.compare(opening, closing) > 0;
  return {
    openingDate: isEmpty ? null : opening.toString(),
    closingDate: isEmpty ? null : closing.toString(),
    earliestDate: earliest.toString(),
  };
};

const later = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (Temporal.PlainDate.compare(a, b) < 0 ? b : a);
const earlier = (a: Temporal.PlainDate, b: Temporal.PlainDate) => (Temporal.PlainDate.compare(a, b) < 0 ? a : b);

export const windowIn = ({ openingDate, closingDate }: JsonObject): Window | null =>
  typeof openingDate === 'string' && typeof closingDate === 'string' ? { openingDate, closingDate } : null;

/**
 * Returns a message about days of the month that were not requested; undefined if every day that the bank offers was
 * requested.
 */
export const outOfWindow = (
  period: string,
  request: JsonObject,
): { message: string; params: NoticeParams } | undefined => {
  const { earliestDate, openingDate } = request;
  if (typeof earliestDate !== 'string') return undefined;
  if (openingDate !== null)
    return earliestDate > `${period}-01`
      ? {
          message: `The bank keeps movements for ${DEPTH_MONTHS} months: of ${period} only those since ${earliestDate} were read.`,
          params: { period, since: earliestDate },
        }
      : undefined;
  const message =
    earliestDate > `${period}-01`
      ? `The bank keeps movements for ${DEPTH_MONTHS} months: there are none of ${period}.`
      : `${period} has not begun yet.`;
  return { message, params: { period } };
};
