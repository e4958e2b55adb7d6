/**
 * Superseded workers that may still put rows. Row writes have no condition, and a worker may be paused between its
 * check of the clock and the request. Therefore every period written after a takeover is suspect until no invocation
 * from the time of the takeover can still run (docs/data-model.md, "Rows that come late").
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

/**
 * Returns the earlier holders that may still put rows, or null.
 * @param held the lease before the present worker takes it; a released lease has no late writers
 */
export const findLateWriters = (held: LeaseRecord): LateWriters | null => {
  const known = before(held);
  if (held.fence === undefined || !held.expiresAtMs) return known;
  return { oldestFence: known?.oldestFence ?? held.fence, untilMs: nowMs() + TABLE_LIMITS.lateWriteMs };
};

export const lateWriterFields = (late: LateWriters | null): Pick<LeaseRecord, 'lateFence' | 'lateUntilMs'> =>
  late === null ? {} : { lateFence: late.oldestFence, lateUntilMs: late.untilMs };

const WRITES_PER_FENCE = 10_000;
/** Sequence of rows and marks that were written before sequences existed. */
export const NO_SEQUENCE = 1;

export const toFence = (sequence: number): number => Math.floor(sequence / WRITES_PER_FENCE);
export const toFirstSequence = (fence: number): number => fence * WRITES_PER_FENCE;

interface Writing {
  fence: number;
  /** Number of period writes by the lease's holder so far. */
  writes?: number;
}

/**
 * Returns the sequence of the current period write. It grows with every holder of the lease, and with every period that
 * a holder writes.
 */
export const toSequence = ({ fence, writes = 0 }: Writing): number => toFirstSequence(fence) + writes;

/**
 * Begins the holder's next period write and returns its sequence.
 * @throws Error if the holder has used all its sequences; the next holder of the lease has its own 10,000 sequences
 */
export const nextSequence = (lease: Writing): number => {
  const writes = (lease.writes ?? 0) + 1;
  if (writes >= WRITES_PER_FENCE) throw new Error(`a lease allows ${WRITES_PER_FENCE - 1} writes of periods`);
  lease.writes = writes;
  return toSequence(lease);
};
