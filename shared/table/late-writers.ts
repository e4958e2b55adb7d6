/**
 * Workers that may still put rows although their lease was taken over: rows carry no condition, and a worker may stand
 * still between its look at the clock and the request. So every period that is written after a takeover is suspect until
 * no invocation of that time can be alive (docs/data-model.md, "Rows that come late").
 */
import { nowMs } from '#shared/platform/clock.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import type { LeaseRecord } from './lease-item.ts';

export interface LateWriters {
  oldestFence: number;
  untilMs: number;
}

const before = ({ lateFence, lateUntilMs }: LeaseRecord): LateWriters | null =>
  lateFence !== undefined && lateUntilMs !== undefined && lateUntilMs > nowMs()
    ? { oldestFence: lateFence, untilMs: lateUntilMs }
    : null;

/** @param held the lease that is taken now; one that was given back leaves nobody behind */
export const findLateWriters = (held: LeaseRecord): LateWriters | null => {
  const known = before(held);
  if (held.fence === undefined || !held.expiresAtMs) return known;
  return { oldestFence: known?.oldestFence ?? held.fence, untilMs: nowMs() + TABLE_LIMITS.lateWriteMs };
};

export const lateWriterFields = (late: LateWriters | null): Pick<LeaseRecord, 'lateFence' | 'lateUntilMs'> =>
  late === null ? {} : { lateFence: late.oldestFence, lateUntilMs: late.untilMs };

const WRITES_PER_FENCE = 10_000;
/** Rows and marks of before there were sequences. */
export const NO_SEQUENCE = 1;

export const toFence = (sequence: number): number => Math.floor(sequence / WRITES_PER_FENCE);
export const toFirstSequence = (fence: number): number => fence * WRITES_PER_FENCE;

interface Writing {
  fence: number;
  /** Period writes of its holder so far. */
  writes?: number;
}

/** The sequence of the period write under way: it grows with every holder, and with every period that one writes. */
export const toSequence = ({ fence, writes = 0 }: Writing): number => toFirstSequence(fence) + writes;

/** @throws Error where the holder has no number left: the next holder of the lease has its own ten thousand */
export const nextSequence = (lease: Writing): number => {
  const writes = (lease.writes ?? 0) + 1;
  if (writes >= WRITES_PER_FENCE) throw new Error(`a lease allows ${WRITES_PER_FENCE - 1} writes of periods`);
  lease.writes = writes;
  return toSequence(lease);
};
