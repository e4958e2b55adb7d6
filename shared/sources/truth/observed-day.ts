/** When a balance was observed: the bank's own clock, which may be a little off, and not by years. */
import { DAY_MS } from '#shared/values/dates.ts';

const DAYS_OFF_MAX = 7;

/** `today`: Santiago day of the answer. */
export const isObservedNear = (instant: string, today: string): boolean =>
  Math.abs(Date.parse(instant) - Date.parse(`${today}T16:00:00Z`)) <= DAYS_OFF_MAX * DAY_MS;
