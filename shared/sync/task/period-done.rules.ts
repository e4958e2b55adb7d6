/** The checkpoint's entry of a period that was read: its counts, and what its reading found. Pure. */
import * as z from 'zod';
import type { TotalsVerdict } from '#shared/rows/item/totals.rules.ts';
import type { OutcomeNotice } from '#shared/sync/run.rules.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { monthUnit } from '#shared/values/notice-params.ts';
import { storedErrorCode } from '#shared/values/sync-errors.ts';
import { type WalkBreak, WalkBreakSchema } from './walk-breaks.rules.ts';

export const PeriodDoneSchema = z.object({
  period: z.string().nullable(),
  found: z.number(),
  created: z.number(),
  updated: z.number(),
  /** Number of rows that the run removed, each with a tombstone. Absent for zero. */
  removed: z.number().exactOptional(),
  errorCode: storedErrorCode().nullable(),
  errorMessage: z.string().nullable(),
  /**
   * True if some lines were unreadable and all other rows are stored. The period counts as synchronized but reports a
   * fault.
   */
  isIncomplete: z.boolean().exactOptional(),
  /** Time of the first answer, in epoch seconds with milliseconds; older checkpoints have whole seconds. */
  readAt: z.number().exactOptional(),
  /** Fence of the lease under which the period was read. Absent in older checkpoints. */
  fence: z.number().exactOptional(),
  /** Code of the notice that explains why the period is not whole. */
  gap: z.string().exactOptional(),
  /** True if some stored rows are provisional. */
  isOpen: z.literal(true).exactOptional(),
  /** True if no row came and the source reported a total of zero. */
  tiesOut: z.literal(true).exactOptional(),
  /** Breaks in the stored movements of accounts. Absent if every account adds up, or has no balances. */
  breaks: z.array(WalkBreakSchema).exactOptional(),
  /** Ids of stored rows that no month of the run has shown so far, and that a later month may show. */
  notShown: z.array(z.string()).exactOptional(),
  /** True if the reading contradicts stored rows and was not believed. */
  isDoubted: z.literal(true).exactOptional(),
});
export interface PeriodDone extends z.infer<typeof PeriodDoneSchema> {}

/** True if the rows of the month were stored. */
export const wasRead = ({ errorCode, isIncomplete }: PeriodDone): boolean =>
  errorCode === null || isIncomplete === true;

/** The counts of a written period that its checkpoint needs (shared/rows/write/period-counts.ts). */
interface WrittenPeriodCounts {
  found: number;
  created: number;
  updated: number;
  removed: number;
  isOpen: boolean;
  totals: { verdict: TotalsVerdict } | null;
}

/** Facts of a period after it was written. `readAt` is in ISO 8601. A fact that does not apply is undefined or null. */
interface ReadingResult {
  gap: string | undefined;
  breaks: readonly WalkBreak[];
  isDoubted: boolean;
  notShown: readonly string[];
  readAt: string | undefined;
  fence: number;
  unreadable: string | null;
}

/**
 * Returns the checkpoint's entry of a written period. Counts of zero and false flags are left out of the stored task.
 */
export const periodDone = (
  period: string | null,
  counts: WrittenPeriodCounts,
  { gap, breaks, isDoubted, notShown, readAt, fence, unreadable }: ReadingResult,
): PeriodDone => {
  const { found, created, updated, removed, isOpen, totals } = counts;
  const failure = unreadable === null ? null : ('source.unexpected_response' as const);
  const optional = {
    removed: removed || undefined,
    isIncomplete: failure !== null || undefined,
    readAt: readAt && Date.parse(readAt) / 1000,
    gap,
    isOpen: isOpen || undefined,
    breaks: breaks.length > 0 ? [...breaks] : undefined,
    isDoubted: isDoubted || undefined,
    notShown: notShown.length > 0 ? [...notShown] : undefined,
    tiesOut: (totals?.verdict === 'equal' && found === 0) || undefined,
  };
  return {
    ...{ period, found, created, updated, fence, errorCode: failure, errorMessage: unreadable },
    ...(Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)) as Partial<PeriodDone>),
  };
};

/** Returns the months without the rows that a later month of the run shows. */
export const withoutShown = (done: readonly PeriodDone[], shown: ReadonlySet<string>): PeriodDone[] =>
  done.map(({ notShown, ...month }) => {
    const left = notShown?.filter((id) => !shown.has(id)) ?? [];
    return left.length === 0 ? month : { ...month, notShown: left };
  });

/** Returns one notice for each month with stored rows that no month of the run shows. */
export const notShownNotices = (scope: string, done: readonly PeriodDone[]): OutcomeNotice[] =>
  done.flatMap(({ period, notShown = [] }) => {
    if (notShown.length === 0) return [];
    const [rows, were] = notShown.length === 1 ? ['1 stored row', 'was'] : [`${notShown.length} stored rows`, 'were'];
    const message = `${period}: ${rows} that no month of the run shows ${were} kept.`;
    const params = { ...monthUnit(period), count: notShown.length };
    return [{ code: noticeCode(scope, 'rows_kept'), message, params }];
  });
