/** Days of a statement's rows (banks.md part 4.1): what was done on a last evening may be booked in the next month. */
import { addMonths } from '#shared/domain/dates.ts';
import { type Place, unreadable } from './values.ts';

/** A day further away than the month before or after is no day of this statement, however it came about. */
export const checkNear = (day: string, period: string, field: string, place: Place): string => {
  const month = day.slice(0, 7);
  if (month < addMonths(period, -1) || month > addMonths(period, 1))
    throw unreadable(place, field, 'is not a day of this month');
  return day;
};
