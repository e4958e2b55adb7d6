/**
 * Counters for throttling (decisions.md §1). There is one item per minute and counted caller, which the TTL removes.
 */
import { nowMs } from '#shared/platform/clock.ts';
import { AppError } from '#shared/values/app-error.ts';
import type { Key } from './keys.ts';
import * as table from './table.ts';

/** Quota of the current minute. */
export interface MinuteQuota {
  max: number;
  left: number;
  /** Seconds until the minute is over, at least 1. */
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
/** Minutes until the item expires. This is longer than the difference between any two clocks. */
const KEPT_MINUTES = 5;

/** Returns the minute of an instant, and the seconds until it is over, at least 1. */
export const minuteAt = (ms: number): { minute: number; seconds: number } => {
  const minute = Math.floor(ms / MINUTE_MS);
  return { minute, seconds: Math.max(1, Math.ceil(((minute + 1) * MINUTE_MS - ms) / 1000)) };
};

const expiry = (minute: number): { expires_at_epoch: number } => ({ expires_at_epoch: (minute + KEPT_MINUTES) * 60 });

const isLeft = (counter: string): string => `(attribute_not_exists(#${counter}) OR #${counter} < :${counter})`;

/**
 * Adds one to every counter. If one of the counters is full, no counter changes.
 * @param limits limits of the item's counters, by attribute
 * @returns the remaining quota of the first counter
 * @throws QuotaSpent
 */
export const countInMinute = async (
  keyOf: (minute: number) => Key,
  limits: Readonly<Record<string, number>>,
): Promise<MinuteQuota> => {
  const { minute, seconds } = minuteAt(nowMs());
  const counters = Object.keys(limits);
  const [first, max] = Object.entries(limits)[0]!;
  const counted = await table.update(keyOf(minute), {
    add: Object.fromEntries(counters.map((counter) => [counter, 1])),
    set: expiry(minute),
    if: counters.map(isLeft).join(' AND '),
    values: limits,
    otherwise: () => new QuotaSpent({ max, left: 0, seconds }),
  });
  return { max, left: Math.max(0, max - Number(counted[first])), seconds };
};

/** Adds to counters of a minute without a limit. Returns the item. */
export const addInMinute = (
  keyOf: (minute: number) => Key,
  minute: number,
  counts: Readonly<Record<string, number>>,
): Promise<table.Item> => table.update(keyOf(minute), { add: counts, set: expiry(minute) });
