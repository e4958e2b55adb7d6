/** Banking days and the cut-off of the simulated bank (banks.md §3.2: after 14:00 or on no banking day, the next one). */
import { addMonths } from '#shared/values/dates.ts';

const DAY_MS = 86_400_000;
/** Fixed holidays; Easter is left to the real bank. */
const HOLIDAYS = new Set(['01-01', '05-01', '05-21', '07-16', '08-15', '09-18', '09-19', '11-01', '12-08', '12-25']);
const CUT_OFF = '14:00:00';

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);

export const isBankingDay = (day: string): boolean => {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday !== 0 && weekday !== 6 && !HOLIDAYS.has(day.slice(5));
};

export const accountingDay = (day: string, time: string): string => {
  let booked = time >= CUT_OFF ? addDays(day, 1) : day;
  while (!isBankingDay(booked)) booked = addDays(booked, 1);
  return booked;
};

export const daysOf = (period: string): string[] => {
  const count = daysBetween(`${period}-01`, `${addMonths(period, 1)}-01`);
  return Array.from({ length: count }, (_, i) => addDays(`${period}-01`, i));
};
