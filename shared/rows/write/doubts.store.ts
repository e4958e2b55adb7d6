/**
 * Readings of a month that contradict stored rows and are not believed yet (ADR 16, ADR 36). Such a reading is accepted
 * when a later reading shows the same. Stored next to the index, one item per month.
 */
import * as z from 'zod';
import { nowMs } from '#shared/platform/clock.ts';
import type { StoredRow } from '#shared/rows/item/row-diff.rules.ts';
import type { ScopeAddress } from '#shared/rows/item/scope-address.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { item } from '#shared/table/item.ts';
import { keys } from '#shared/table/keys.ts';
import { type Lease, stillHeld } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { joinHashes, weighDoubt } from '#shared/values/doubt.ts';

const DoubtSchema = z.object({
  /** Hashes of what the doubted reading shows, eight characters each. */
  shown: z.string(),
  firstSeenMs: z.number(),
  /** Hours after which a reading that shows the same is accepted. */
  hours: z.number(),
});
export interface Doubt extends z.infer<typeof DoubtSchema> {}

export const doubtsItem = item('doubts', z.object({ doubts: z.record(z.string(), DoubtSchema) }));

/** The last reading of the month in an earlier run. */
export interface LastReading {
  /** Run that read the month; null if no run did. */
  runId: string | null;
  /** True if that reading was doubted. Otherwise an earlier doubt no longer counts. */
  isDoubted: boolean;
}

/** Returns the last reading. It is asked only if something is in doubt. */
export type FindLastReading = () => Promise<LastReading>;

const HOUR_MS = 3_600_000;

/** Returns the doubt after a reading, and whether the reading is accepted. */
const judgeOne = (
  before: Doubt | undefined,
  shown: ReadonlySet<string>,
  hours: number,
): { doubt: Doubt; isBelieved: boolean } => {
  const atMs = nowMs();
  const { firstSeenMs, isSame, isBelieved } = weighDoubt(before, shown, {
    atMs,
    waitMs: (before?.hours ?? hours) * HOUR_MS,
  });
  const doubt = { shown: joinHashes(shown, ROW_LIMITS.doubtedRowsMax), firstSeenMs, hours };
  return { doubt: before && isSame ? before : doubt, isBelieved };
};

/** The wait is longer if a run after the one that wrote the contradicted rows read them again. */
const hoursFor = (contradicted: readonly Pick<StoredRow, 'updatedRun'>[], { runId }: LastReading): number =>
  runId !== null && contradicted.some(({ updatedRun }) => updatedRun !== runId)
    ? ROW_LIMITS.rewrittenConfirmedStandHours
    : ROW_LIMITS.rewrittenRowsStandHours;

/** A contradiction: what the reading shows, and the stored rows that it contradicts. */
export interface Contradiction {
  shown: ReadonlySet<string>;
  rows: readonly Pick<StoredRow, 'updatedRun'>[];
}

export interface JudgedDoubts {
  /** Subjects whose reading is accepted now. */
  believed: ReadonlySet<string>;
  /** Hours after which each other subject is accepted if a reading shows the same. */
  hours: ReadonlyMap<string, number>;
}

/** Compares contradictions with those that were stored, and stores them. Subjects are `facts` or accounts. */
export const judgeDoubts = async (
  { address, period, lease }: { address: ScopeAddress; period: string; lease: Lease },
  found: ReadonlyMap<string, Contradiction>,
  findLastReading: FindLastReading,
): Promise<JudgedDoubts> => {
  if (found.size === 0) return { believed: new Set(), hours: new Map() };
  const key = keys.doubts(address, period);
  const [stored, last] = await Promise.all([table.get(key), findLastReading()]);
  const before = stored && last.isDoubted ? doubtsItem.fromItem(stored).doubts : {};
  const judged = [...found].map(([subject, { shown, rows }]) => ({
    subject,
    ...judgeOne(before[subject], shown, hoursFor(rows, last)),
  }));
  const doubts = Object.fromEntries(judged.map(({ subject, doubt }) => [subject, doubt]));
  await table.transact([
    stillHeld(lease),
    { put: { ...key, ...doubtsItem.toItem({ doubts: { ...before, ...doubts } }) } },
  ]);
  return {
    believed: new Set(judged.filter(({ isBelieved }) => isBelieved).map(({ subject }) => subject)),
    hours: new Map(judged.map(({ subject, doubt }) => [subject, doubt.hours])),
  };
};
