/**
 * Banking days and the cut-off of the simulated bank (banks.md §3.2: a movement after 14:00, or on a day that is not a
 * banking day, counts on the next banking day).
 */
import { addDays, daysIn, findWeekday, formatDay } from '../../sandbox-kit/calendar.ts';

/** Holidays with a fixed date; the sandbox ignores Easter. */
const HOLIDAYS = new Set(['01-01', '05-01', '05-21', '07-16', '08-15', '09-18', '09-19', '11-01', '12-08', '12-25']);
const CUT_OFF = '14:00:00';

export const isBankingDay = (day: string): boolean => findWeekday(day) < 6 && !HOLIDAYS.has(day.slice(5));

export const accountingDay = (day: string, time: string): string => {
  let booked = time >= CUT_OFF ? addDays(day, 1) : day;
  while (!isBankingDay(booked)) booked = addDays(booked, 1);
  return booked;
};

export const listDays = (period: string): string[] =>
  Array.from({ length: daysIn(period) }, (_, i) => formatDay(period, i + 1));
