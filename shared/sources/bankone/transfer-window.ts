/**
 * Days of a month for which transfers may be requested: at most 31 days, at most 12 months back, none in the future
 * (§3.1).
 */
import { Temporal } from 'temporal-polyfill';
import { findLastDay } from '#shared/values/dates.ts';
import { TRANSFER_DEPTH_MONTHS } from './wire.ts';

export interface DayWindow {
  /** YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  /** True if the portal no longer shows the first day of the month. */
  isCut: boolean;
}

/** Returns the days to request; undefined when no day of the month may be requested. */
export const transferWindow = (period: string, today: string): DayWindow | undefined => {
  const oldest = Temporal.PlainDate.from(today).subtract({ months: TRANSFER_DEPTH_MONTHS }).toString();
  const first = `${period}-01`;
  const last = findLastDay(period);
  const from = first < oldest ? oldest : first;
  const to = last > today ? today : last;
  return from > to ? undefined : { from, to, isCut: from !== first };
};
