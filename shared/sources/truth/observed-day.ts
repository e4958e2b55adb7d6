/** Checks the time at which a balance was observed: the bank's clock may be slightly wrong, but not by years. */
import { DAY_MS } from '#shared/values/dates.ts';

const DAYS_OFF_MAX = 7;

/** True if the instant is near `today`, which is the Santiago day of the answer. */
export const isObservedNear = (instant: string, today: string): boolean =>
  Math.abs(Date.parse(instant) - Date.parse(`${today}T16:00:00Z`)) <= DAYS_OFF_MAX * DAY_MS;
