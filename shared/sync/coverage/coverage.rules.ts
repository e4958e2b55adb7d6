/**
 * The coverage of a scope over all its runs: its last attempt, its last success, and for each month the time of the
 * last reading and whether that reading was whole (docs/adr/0032). Rows and totals come from the page index. Pure.
 */
import * as z from 'zod';
import { OUTCOME_STATUSES, type ScopeOutcome } from '#shared/sync/run.rules.ts';
import type { PeriodDone } from '#shared/sync/task/period-done.rules.ts';
import { periodsLeft, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { breaksCode, type WalkBreak } from '#shared/sync/task/walk-breaks.rules.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { storedErrorCode } from '#shared/values/sync-errors.ts';

export const AttemptSchema = z.object({
  runId: z.string(),
  status: z.enum(OUTCOME_STATUSES),
  finishedAt: z.string(),
  errorCode: storedErrorCode().nullable(),
});
export interface CoverageAttempt extends z.infer<typeof AttemptSchema> {}

/** The state of a month after the attempts so far. */
export interface CoveredPeriod {
  /**
   * Time of the last reading that was whole or showed rows of the month, in ISO 8601. Null if there was no such
   * reading.
   */
  asOf: string | null;
  /** Time of the last reading, in ISO 8601, if the source showed no rows while rows stayed stored; otherwise absent. */
  emptyAt?: string;
  /** True if the last attempt read the month and stored it completely. */
  isWhole: boolean;
  /**
   * Code of the error or notice that explains why the month is not whole or why its totals differ. Null if there is no
   * such reason.
   */
  reason: string | null;
  /** True if some stored rows are provisional. */
  isOpen: boolean;
  /**
   * True if no row came and the source reported a total of zero. Used only for a month that the page index does not
   * know.
   */
  tiesOut: boolean;
  /** Run that last read the month. Absent for a month that was read before runs were noted. */
  readBy?: string;
  /** Fence of the lease of that reading: the higher of two fences read the month later. Absent in older entries. */
  fence?: number;
  /** True if that reading contradicts stored rows and was not believed. */
  isDoubted?: true;
  /** Breaks in the stored movements of accounts. Absent if every account adds up. */
  breaks?: readonly WalkBreak[];
}

/** Coverage by period. A point-in-time scope uses the key `NO_PERIOD`. */
export type CoveredPeriods = Readonly<Record<string, CoveredPeriod>>;
export const NO_PERIOD = '';

export interface Coverage {
  lastAttempt: CoverageAttempt;
  lastSuccessAt: string | null;
  periods: CoveredPeriods;
}

export type PeriodState = 'complete' | 'partial' | 'never';

/**
 * Returns the state of a month. `partial`: rows are stored, but they come from an earlier reading or are incomplete.
 * `never`: the source never showed rows.
 * @param rows number of rows stored now; may be above 0 without `asOf`, if the only reading is still running, was
 * cancelled or died
 */
export const derivePeriodState = (
  { asOf, isWhole }: Pick<CoveredPeriod, 'asOf' | 'isWhole'>,
  rows: number,
): PeriodState => {
  if (isWhole) return 'complete';
  return asOf === null && rows === 0 ? 'never' : 'partial';
};

/** Reason code of a month that was last read before its end. No run reports it; it is computed from the dates. */
export const READ_BEFORE_MONTH_END = 'read_before_month_end';

/** Reason code of a month in which a worker stopped between two rows, until a reading writes the month to its end. */
export const HALF_WRITTEN = 'half_written';

export interface ToldMonth {
  state: PeriodState;
  reason: string | null;
  asOf: string | null;
  /** True if the month has provisional rows or is not over. */
  isOpen: boolean;
}

/**
 * Returns the month as complete if its last reading showed no rows and the stored rows have moved to other months since
 * that reading. Returns every other month unchanged.
 */
const afterMoves = (covered: CoveredPeriod, rows: number): CoveredPeriod => {
  const { reason, emptyAt, asOf } = covered;
  const readAt = emptyAt ?? asOf;
  if (rows > 0 || readAt === null || reason?.endsWith('.rows_kept') !== true) return covered;
  return { ...covered, asOf: readAt, isWhole: true, reason: null };
};

/** The rows of a month as stored now. */
export interface StoredMonth {
  rows: number;
  /** True if a worker began to write the month, and it was not written to its end since. */
  isHalfWritten: boolean;
}

/**
 * Returns the state of a month as the API reports it now. A past month is not complete if it was last read before its
 * end.
 * @param period YYYY-MM
 * @param current the current Santiago month
 */
export const describeMonth = (
  period: string,
  covered: CoveredPeriod,
  { rows, isHalfWritten }: StoredMonth,
  current: string,
): ToldMonth => {
  const { asOf, isWhole, reason } = afterMoves(covered, rows);
  const isOver = period < current;
  const isOpen = covered.isOpen || !isOver;
  if (isWhole && isHalfWritten) return { state: 'partial', reason: HALF_WRITTEN, asOf, isOpen };
  const wasOver = asOf === null || santiagoPeriod(Date.parse(asOf)) > period;
  if (isWhole && isOver && !wasOver) return { state: 'partial', reason: READ_BEFORE_MONTH_END, asOf, isOpen };
  return { state: derivePeriodState({ asOf, isWhole }, rows), reason, asOf, isOpen };
};

/** Coverage of a month without any attempt. */
export const UNKNOWN: CoveredPeriod = { asOf: null, isWhole: false, reason: null, isOpen: false, tiesOut: false };

const isoOf = (seconds: number): string => new Date(Math.floor(seconds) * 1000).toISOString();

/** The run that read a month, and the id of the scope, e.g. `bankone.movements`. */
interface ReadingRun {
  runId: string;
  scope: string;
}

const afterReading = (before: CoveredPeriod, done: PeriodDone, { runId, scope }: ReadingRun): CoveredPeriod => {
  const { errorCode, isIncomplete = false, readAt, gap, found, isOpen = false, tiesOut = false } = done;
  if (errorCode !== null && !isIncomplete) return { ...before, isWhole: false, reason: errorCode };
  const reason = errorCode ?? gap ?? (done.breaks ? breaksCode(scope) : null);
  const isWhole = reason === null;
  const isShown = isWhole || found > 0;
  const asOf = isShown && readAt !== undefined ? isoOf(readAt) : before.asOf;
  const isEmptied = !isShown && readAt !== undefined && gap?.endsWith('.rows_kept') === true;
  const emptied = isEmptied ? { emptyAt: isoOf(readAt) } : {};
  const { breaks, isDoubted, fence } = done;
  return {
    ...{ asOf, isWhole, reason, isOpen, tiesOut, ...emptied, readBy: runId },
    ...(fence === undefined ? {} : { fence }),
    ...(breaks ? { breaks } : {}),
    ...(isDoubted ? { isDoubted } : {}),
  };
};

/** True if another run read the month under a later lease, although its attempt ended first. */
const wasReadLater = ({ fence: last }: CoveredPeriod, fence: number | undefined): boolean =>
  last !== undefined && fence !== undefined && last > fence;

/**
 * Returns at most `max` periods. Drops the periods whose data the source never showed first, then the oldest periods.
 */
const withinLimit = (periods: CoveredPeriods, max: number): CoveredPeriods => {
  const all = Object.entries(periods);
  if (all.length <= max) return periods;
  const byWeight = all.toSorted(
    ([a, of], [b, other]) => Number(of.asOf === null) - Number(other.asOf === null) || (a < b ? 1 : -1),
  );
  return Object.fromEntries(byWeight.slice(0, max));
};

/**
 * Returns the coverage after an outcome of the scope.
 * @param task the worker's task; null if no worker began
 * @param outcome the outcome as stored
 */
export const coverageAfter = (
  before: Coverage | undefined,
  task: Pick<SyncTask, 'source' | 'scope' | 'periods' | 'done'> | null,
  outcome: Pick<ScopeOutcome, 'status' | 'errorCode'>,
  { runId, finishedAt, periodsMax }: { runId: string; finishedAt: string; periodsMax: number },
): Coverage => {
  const { status, errorCode } = outcome;
  const periods: Record<string, CoveredPeriod> = { ...before?.periods };
  const known = (period: string | null) => periods[period ?? NO_PERIOD] ?? UNKNOWN;
  const run = { runId, scope: `${task?.source}.${task?.scope}` };
  for (const done of task?.done ?? []) {
    const before = known(done.period);
    if (!wasReadLater(before, done.fence)) periods[done.period ?? NO_PERIOD] = afterReading(before, done, run);
  }
  for (const period of task ? periodsLeft(task) : [])
    periods[period ?? NO_PERIOD] = { ...known(period), isWhole: false, reason: errorCode };
  return {
    lastAttempt: { runId, status, finishedAt, errorCode },
    lastSuccessAt: status === 'ok' ? finishedAt : (before?.lastSuccessAt ?? null),
    periods: withinLimit(periods, periodsMax),
  };
};
