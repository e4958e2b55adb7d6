/** Counters that throttle (decisions.md §1): one item per minute and whoever is counted, gone by TTL. */
import { nowMs } from '#shared/platform/clock.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { Key } from './keys.ts';
import * as table from './table.ts';

/** Of the present minute. */
export interface MinuteQuota {
  max: number;
  left: number;
  /** Until the minute is over; at least 1. */
  seconds: number;
}

export class QuotaSpent extends AppError {
  readonly quota: MinuteQuota;
  constructor(quota: MinuteQuota) {
    super('too many in this minute');
    this.quota = quota;
  }
}

const MINUTE_MS = 60_000;
/** Longer than clocks differ. */
const KEPT_MINUTES = 5;

/** Counts one, or throws `QuotaSpent`. */
export const countInMinute = async (keyOf: (minute: number) => Key, max: number): Promise<MinuteQuota> => {
  const minute = Math.floor(nowMs() / MINUTE_MS);
  const seconds = Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - nowMs()) / 1000));
  const { starts } = await table.update(keyOf(minute), {
    add: { starts: 1 },
    set: { expires_at_epoch: (minute + KEPT_MINUTES) * 60 },
    if: 'attribute_not_exists(#starts) OR #starts < :max',
    values: { max },
    otherwise: () => new QuotaSpent({ max, left: 0, seconds }),
  });
  return { max, left: Math.max(0, max - Number(starts)), seconds };
};
