/** Which days of a month may be asked for: at most 31, at most 12 months back, none that is still to come (§3.1). */
import { Temporal } from 'temporal-polyfill';
import { findLastDay } from '#shared/values/dates.ts';
import { TRANSFER_DEPTH_MONTHS } from './wire.ts';

export interface DayWindow {
  /** YYYY-MM-DD, both included. */
  from: string;
  to: string;
  /** The portal does not go back to the first of the month any more. */
  isCut: boolean;
}

/** Undefined when no day of the month can be asked for. */
export const transferWindow = (period: string, today: string): DayWindow | undefined => {
  const oldest = Temporal.PlainDate.from(today).subtract({ months: TRANSFER_DEPTH_MONTHS }).toString();
  const first = `${period}-01`;
  const last = findLastDay(period);
  const from = first < oldest ? oldest : first;
  const to = last > today ? today : last;
  return from > to ? undefined : { from, to, isCut: from !== first };
};
