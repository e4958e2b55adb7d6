/**
 * Counts reads in the memory of a function instance, and adds them to the counters of the table every few seconds
 * (docs/adr/0040). A counter in memory is never larger than the reads that were admitted, so no caller is refused early.
 */
import { HTTP_LIMITS } from '#shared/http/limits.ts';
import { type MinuteQuota, minuteAt } from '#shared/table/minute-quota.ts';
import type { OrganizationId } from '#shared/values/ids.ts';

/** Number of reads, by the name of a counter. */
export type ReadCounts = Readonly<Record<string, number>>;

/** What has counters of its own: people and programs cannot use up each other's reads. */
export interface ReadPool {
  organizationId: OrganizationId;
  audience: 'programs' | 'people';
}

/** Adds to the shared counters of a minute. Returns the counters after the addition. */
export type AddReads = (pool: ReadPool, minute: number, counts: ReadCounts) => Promise<ReadCounts>;

/** A counter and its limit. */
export interface ReadLimit {
  /** Name of the limit in the headers. */
  policy: string;
  counter: string;
  max: number;
}

/** The limit of which the fewest reads are left. */
export interface ReadQuota extends MinuteQuota {
  policy: string;
}

export interface CountedRead {
  isRefused: boolean;
  /** Returns what is left now. */
  quota(): ReadQuota;
  /** The addition that this read started. It never rejects. */
  addition: Promise<void> | undefined;
}

interface CountedMinute {
  /** Counters of all instances after the last addition. */
  shared: ReadCounts;
  /** Reads of this instance in an addition that has not ended. */
  sent: ReadCounts;
  /** Reads of this instance that no addition contains. */
  own: Record<string, number>;
  /** Time of the first read in `own`. */
  ownSinceMs: number;
}

const NOTHING: ReadCounts = {};

const countedIn = ({ shared, sent, own }: CountedMinute, counter: string): number =>
  (shared[counter] ?? 0) + (sent[counter] ?? 0) + (own[counter] ?? 0);

const addOwn = (counted: CountedMinute, limits: readonly ReadLimit[], nowMs: number): void => {
  if (Object.keys(counted.own).length === 0) counted.ownSinceMs = nowMs;
  for (const { counter } of limits) counted.own[counter] = (counted.own[counter] ?? 0) + 1;
};

const isAdditionDue = ({ own, ownSinceMs, sent }: CountedMinute, nowMs: number): boolean => {
  if (sent !== NOTHING) return false;
  if (Object.keys(own).length >= HTTP_LIMITS.readCountersAddedMax) return true;
  return (
    nowMs - ownSinceMs >= HTTP_LIMITS.readsAddedEveryMs && Math.max(...Object.values(own)) >= HTTP_LIMITS.readsAddedMin
  );
};

/**
 * Returns a counter for the life of a function instance. It remembers one minute.
 *
 * @param onFailure called with the error of a failed addition
 */
export const createReadCounter = (add: AddReads, onFailure: (error: unknown) => void) => {
  let minute = 0;
  const pools = new Map<string, CountedMinute>();

  const countedOf = ({ organizationId, audience }: ReadPool, nowMs: number): CountedMinute => {
    const name = `${audience} ${organizationId}`;
    const present = minuteAt(nowMs);
    if (present.minute !== minute) pools.clear();
    minute = present.minute;
    const counted = pools.get(name) ?? { shared: NOTHING, sent: NOTHING, own: {}, ownSinceMs: nowMs };
    pools.set(name, counted);
    return counted;
  };

  /** A failed addition is not repeated, because the table may have stored it: no read is counted twice. */
  const addUp = async (pool: ReadPool, counted: CountedMinute): Promise<void> => {
    counted.sent = counted.own;
    counted.own = {};
    try {
      counted.shared = await add(pool, minute, counted.sent);
    } catch (error) {
      onFailure(error);
    }
    counted.sent = NOTHING;
  };

  const quotaOf = (counted: CountedMinute, limits: readonly ReadLimit[], nowMs: number): ReadQuota => {
    const { seconds } = minuteAt(nowMs);
    return limits
      .map(({ policy, counter, max }) => ({
        policy,
        max,
        left: Math.max(0, max - countedIn(counted, counter)),
        seconds,
      }))
      .reduce((fewest, each) => (each.left < fewest.left ? each : fewest));
  };

  /** Counts a read, unless one of the limits is reached. */
  const count = (pool: ReadPool, limits: readonly ReadLimit[], nowMs: number): CountedRead => {
    const counted = countedOf(pool, nowMs);
    const quota = (): ReadQuota => quotaOf(counted, limits, nowMs);
    if (quota().left === 0) return { isRefused: true, quota, addition: undefined };
    addOwn(counted, limits, nowMs);
    return { isRefused: false, quota, addition: isAdditionDue(counted, nowMs) ? addUp(pool, counted) : undefined };
  };
  return { count };
};
