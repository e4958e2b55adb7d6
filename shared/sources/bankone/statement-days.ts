/** Days of a statement's rows (banks.md part 4.1): what was done on a last evening may be booked in the next month. */
import { DAY_MS } from '#shared/values/dates.ts';
import { type Place, unreadable } from './values.ts';
import { LATE_BOOKING_DAYS_MAX } from './wire.ts';

export type DayCheck = (day: string, field: string, place: Place) => string;

const daysBefore = (day: string, period: string): number =>
  (Date.parse(`${period}-01T00:00:00Z`) - Date.parse(`${day}T00:00:00Z`)) / DAY_MS;

/**
 * Oldest first: no day is of a later month, or further back than a late booking. Of a closed statement the days are in
 * order, so that those of the month before stand at its head.
 */
export const createDayCheck = (period: string, isClosed: boolean): DayCheck => {
  let before = '';
  return (day, field, place) => {
    if (day.slice(0, 7) > period || daysBefore(day, period) > LATE_BOOKING_DAYS_MAX)
      throw unreadable(place, field, 'is not a day of this month');
    if (isClosed && day < before) throw unreadable(place, field, 'is before that of the line above');
    before = day;
    return day;
  };
};
