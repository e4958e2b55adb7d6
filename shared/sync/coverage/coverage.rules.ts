/**
 * What is known of a scope over all its runs: its last attempt, its last success, and of each month when it was last read
 * and whether the last reading was whole (docs/adr/0032). Rows and totals are those of the page index. Pure.
 */
import * as z from 'zod';
import { OUTCOME_STATUSES, type ScopeOutcome } from '#shared/sync/run.rules.ts';
import { type PeriodDone, periodsLeft, type SyncTask } from '#shared/sync/task/task.rules.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { storedErrorCode } from '#shared/values/sync-errors.ts';

export const AttemptSchema = z.object({
  runId: z.string(),
  status: z.enum(OUTCOME_STATUSES),
  finishedAt: z.string(),
  errorCode: storedErrorCode().nullable(),
});
export interface CoverageAttempt extends z.infer<typeof AttemptSchema> {}

/** A month as the attempts left it. */
export interface CoveredPeriod {
  /** When the source was last asked for what is stored, in ISO 8601; null: it never showed anything of it. */
  asOf: string | null;
  /** When a reading showed nothing beside rows that were kept, in ISO 8601; absent: the last one did not. */
  emptyAt?: string;
  /** The last attempt read the month, and stored it whole. */
  isWhole: boolean;
  /** Code of the error or the notice that says why it is not, or why its totals are. */
  reason: string | null;
  /** Provisional rows are among those that are stored. */
  isOpen: boolean;
  /** No row came, and the source told a total of nothing. It counts where the index does not know the month. */
  tiesOut: boolean;
}

/** Period → what is known of it; `NO_PERIOD` of a point-in-time scope. */
export type CoveredPeriods = Readonly<Record<string, CoveredPeriod>>;
export const NO_PERIOD = '';

export interface Coverage {
  lastAttempt: CoverageAttempt;
  lastSuccessAt: string | null;
  periods: CoveredPeriods;
}

export type PeriodState = 'complete' | 'partial' | 'never';

/**
 * `partial`: something is stored, of an earlier reading or not whole. `never`: the source never showed anything.
 * @param rows that are stored now: those of a reading that is under way, was cancelled or died have no time yet
 */
export const derivePeriodState = (
  { asOf, isWhole }: Pick<CoveredPeriod, 'asOf' | 'isWhole'>,
  rows: number,
): PeriodState => {
  if (isWhole) return 'complete';
  return asOf === null && rows === 0 ? 'never' : 'partial';
};

/** Code of a month that was asked for while it was not over, and not again since. No notice: time alone tells it. */
export const READ_BEFORE_MONTH_END = 'read_before_month_end';

export interface ToldMonth {
  state: PeriodState;
  reason: string | null;
  asOf: string | null;
  /** Provisional rows, or a month that is not over. */
  isOpen: boolean;
}

/** What was kept beside a reading that showed nothing has moved to other months since: nothing is left that it did not show. */
const afterMoves = (covered: CoveredPeriod, rows: number): CoveredPeriod => {
  const { reason, emptyAt, asOf } = covered;
  const readAt = emptyAt ?? asOf;
  if (rows > 0 || readAt === null || reason?.endsWith('.rows_kept') !== true) return covered;
  return { ...covered, asOf: readAt, isWhole: true, reason: null };
};

/**
 * What is told of a month now. One that is over is not complete by a reading of a day when it was not.
 * @param period YYYY-MM
 * @param rows that are stored now
 * @param current the Santiago month of now
 */
export const describeMonth = (period: string, covered: CoveredPeriod, rows: number, current: string): ToldMonth => {
  const { asOf, isWhole, reason } = afterMoves(covered, rows);
  const isOver = period < current;
  const isOpen = covered.isOpen || !isOver;
  const wasOver = asOf === null || santiagoPeriod(Date.parse(asOf)) > period;
  if (isWhole && isOver && !wasOver) return { state: 'partial', reason: READ_BEFORE_MONTH_END, asOf, isOpen };
  return { state: derivePeriodState({ asOf, isWhole }, rows), reason, asOf, isOpen };
};

/** Of a month that no attempt left anything of. */
export const UNKNOWN: CoveredPeriod = { asOf: null, isWhole: false, reason: null, isOpen: false, tiesOut: false };

const isoOf = (seconds: number): string => new Date(seconds * 1000).toISOString();

const afterReading = (before: CoveredPeriod, done: PeriodDone): CoveredPeriod => {
  const { errorCode, isIncomplete = false, readAt, gap, found, isOpen = false, tiesOut = false } = done;
  if (errorCode !== null && !isIncomplete) return { ...before, isWhole: false, reason: errorCode };
  const isWhole = errorCode === null && gap === undefined;
  const isShown = isWhole || found > 0;
  const asOf = isShown && readAt !== undefined ? isoOf(readAt) : before.asOf;
  const isEmptied = !isShown && readAt !== undefined && gap?.endsWith('.rows_kept') === true;
  const emptied = isEmptied ? { emptyAt: isoOf(readAt) } : {};
  return { asOf, isWhole, reason: errorCode ?? gap ?? null, isOpen, tiesOut, ...emptied };
};

/** What was never whole goes first, then the oldest months. */
const withinLimit = (periods: CoveredPeriods, max: number): CoveredPeriods => {
  const all = Object.entries(periods);
  if (all.length <= max) return periods;
  const byWeight = all.toSorted(
    ([a, of], [b, other]) => Number(of.asOf === null) - Number(other.asOf === null) || (a < b ? 1 : -1),
  );
  return Object.fromEntries(byWeight.slice(0, max));
};

/**
 * After an outcome of the scope. `task` is what its worker did; null: no worker ever began.
 * @param outcome as it is written
 */
export const coverageAfter = (
  before: Coverage | undefined,
  task: Pick<SyncTask, 'periods' | 'done'> | null,
  outcome: Pick<ScopeOutcome, 'status' | 'errorCode'>,
  { runId, finishedAt, periodsMax }: { runId: string; finishedAt: string; periodsMax: number },
): Coverage => {
  const { status, errorCode } = outcome;
  const periods: Record<string, CoveredPeriod> = { ...before?.periods };
  const known = (period: string | null) => periods[period ?? NO_PERIOD] ?? UNKNOWN;
  for (const done of task?.done ?? []) periods[done.period ?? NO_PERIOD] = afterReading(known(done.period), done);
  for (const period of task ? periodsLeft(task) : [])
    periods[period ?? NO_PERIOD] = { ...known(period), isWhole: false, reason: errorCode };
  return {
    lastAttempt: { runId, status, finishedAt, errorCode },
    lastSuccessAt: status === 'ok' ? finishedAt : (before?.lastSuccessAt ?? null),
    periods: withinLimit(periods, periodsMax),
  };
};
