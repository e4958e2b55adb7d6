/** The task of a scope in a run: its states, its moves, and the numbers of its outcome. Pure. */

import * as z from 'zod';
import { type OutcomeNotice, OutcomeNoticeSchema, type ScopeOutcome } from '#shared/sync/run.rules.ts';
import { type TenderTask, TenderTaskSchema } from '#shared/tenders/tender-task.rules.ts';
import { connectionId, organizationId } from '#shared/values/ids.ts';
import { type SyncErrorCode, storedErrorCode } from '#shared/values/sync-errors.ts';
import { tellFault } from './fault-words.rules.ts';
import { PeriodDoneSchema, wasRead } from './period-done.rules.ts';

/**
 * `queued`: no worker has begun. `working`: a worker holds the lease. `handover`: stopped at a checkpoint for lack of
 * time. `waiting`: waits for its next attempt, a lease or a slot. `ended`: its outcome is stored.
 */
const TaskStateSchema = z.enum(['queued', 'working', 'handover', 'waiting', 'ended']);
export type TaskState = z.infer<typeof TaskStateSchema>;

/**
 * The event that wakes a waiting task: another scope of its run ends, its lease or a slot of its login is free, or
 * another worker's login has a verdict.
 */
const WaitsForSchema = z.discriminatedUnion('for', [
  z.object({ for: z.enum(['run', 'lease']) }),
  z.object({ for: z.enum(['login', 'verdict']), login: z.string() }),
]);
export type WaitsFor = z.infer<typeof WaitsForSchema>;

export const SyncTaskSchema = z.object({
  organizationId: organizationId(),
  connectionId: connectionId(),
  runId: z.string(),
  source: z.string(),
  scope: z.string(),
  /**
   * Every move increases the generation. A message is stale if its generation differs from the task's, so duplicates
   * have no effect.
   */
  generation: z.number(),
  state: TaskStateSchema,
  /** Number of attempts begun. A handover continues the same attempt. */
  attempts: z.number(),
  /**
   * Time of the last move, without the sweeper's reminders. A time in the future means that the task is not due
   * earlier.
   */
  stateChangedAtMs: z.number(),
  /** The event that the task waits for. Null if a message is on its way or a worker has the task. */
  waitsFor: WaitsForSchema.nullable(),
  firstLeasedAt: z.string().nullable(),
  /** Fence of the first lease. The sequences of the run's rows belong to this fence or a later one. */
  firstFence: z.number().nullable(),
  /** Null until the first worker plans, and for a scope that is read by tender. */
  periods: z.array(z.string().nullable()).nullable(),
  done: z.array(PeriodDoneSchema),
  /** Null until planned, and for a scope that is read by period. */
  tenders: TenderTaskSchema.nullable(),
  notices: z.array(OutcomeNoticeSchema),
  /**
   * Number of the current reading, which is part of the names of stored answers. A new reading requests all answers
   * again. Absent means 1.
   */
  reading: z.number().exactOptional(),
  /** True if the worker that took the task last ran other tasks in the same invocation. */
  isShared: z.boolean().exactOptional(),
  /**
   * True if the task must have an invocation for itself: its reading is large, or a worker died in a shared invocation.
   */
  runsAlone: z.literal(true).exactOptional(),
  /** Number of workers that died in a shared invocation. Such a death costs no attempt. Absent means 0. */
  sharedDeaths: z.number().exactOptional(),
  /** True for a task of a scheduled run: it begins at a full minute, so that tasks share invocations. */
  isScheduled: z.literal(true).exactOptional(),
  /** Periods, tenders or `WHOLE_SCOPE` whose answers were refused once in this run because of their content. */
  refused: z.array(z.string()),
  lastErrorCode: storedErrorCode().nullable(),
  lastErrorMessage: z.string().nullable(),
});
export interface SyncTask extends z.infer<typeof SyncTaskSchema> {
  /** When the sweeper checks the task, in epoch ms. Taken from the due entry when the task was read. */
  lookedAtMs?: number;
}

export const newTask = (
  task: Pick<SyncTask, 'organizationId' | 'connectionId' | 'runId' | 'source' | 'scope'>,
  nowMs: number,
  waitsFor: WaitsFor | null = null,
): SyncTask => ({
  ...task,
  generation: 1,
  state: 'queued',
  attempts: 0,
  stateChangedAtMs: nowMs,
  waitsFor,
  firstLeasedAt: null,
  firstFence: null,
  periods: null,
  done: [],
  tenders: null,
  notices: [],
  reading: 1,
  refused: [],
  lastErrorCode: null,
  lastErrorMessage: null,
});

export const readEpoch = ({ reading = 1 }: Pick<SyncTask, 'reading'>): number => reading;

type TakenTask = Pick<SyncTask, 'state' | 'attempts' | 'isShared' | 'runsAlone' | 'sharedDeaths'>;

/** True if the last worker of the task died in an invocation that it shared. Another task may have caused the death. */
const diedShared = ({ state, isShared }: Pick<SyncTask, 'state' | 'isShared'>): boolean =>
  state === 'working' && isShared === true;

/** True if the next worker must take no other task into its invocation. */
export const mustRunAlone = (task: Pick<SyncTask, 'state' | 'isShared' | 'runsAlone'>): boolean =>
  task.runsAlone === true || diedShared(task);

/**
 * Returns the number of attempts after a worker takes the lease. After a handover, and after a death in a shared
 * invocation, the same attempt continues.
 */
export const attemptsAfterLease = (task: Pick<SyncTask, 'state' | 'attempts' | 'isShared'>): number =>
  task.state === 'handover' || diedShared(task) ? task.attempts : task.attempts + 1;

/** True if the task's worker died, if it did, in the last attempt that the task may have. */
export const diedInLastAttempt = (task: TakenTask, attemptsMax: number): boolean =>
  task.state === 'working' && attemptsAfterLease(task) > attemptsMax;

/** Returns what changes in a task when a worker takes it, except its lease. */
export const takenChanges = (
  task: TakenTask,
  isShared: boolean,
): Pick<SyncTask, 'state' | 'attempts' | 'isShared' | 'runsAlone' | 'sharedDeaths'> => ({
  state: 'working',
  attempts: attemptsAfterLease(task),
  isShared,
  ...(mustRunAlone(task) ? { runsAlone: true } : {}),
  ...(diedShared(task) ? { sharedDeaths: (task.sharedDeaths ?? 0) + 1 } : {}),
});

/** Unit for faults that belong to no period or tender, such as a failed login. */
export const WHOLE_SCOPE = '*';

/** True if the refused answers of a unit may be requested once more. The second refusal of a unit is final. */
export const mayAskAgain = (task: Pick<SyncTask, 'refused' | 'attempts'>, unit: string, triesMax: number): boolean =>
  task.attempts < triesMax && !task.refused.includes(unit);

export const periodsLeft = (task: Pick<SyncTask, 'periods' | 'done'>): (string | null)[] => {
  const done = new Set(task.done.map(({ period }) => period));
  return (task.periods ?? []).filter((period) => !done.has(period));
};

const MORE_NOTICES = 'sync.more_notices';

/** True for a notice of removed rows. Such notices come first (decisions.md §5). */
const isOfRemovedRows = ({ code }: OutcomeNotice): boolean => code.endsWith('.rows_replaced');

/**
 * Adds notices without duplicates. Beyond the limit, the last notice gives the number of notices that were left out
 * (decisions.md §5).
 */
export const addNotices = (
  notices: readonly OutcomeNotice[],
  more: readonly OutcomeNotice[],
  max: number,
): OutcomeNotice[] => {
  const { counted = [], told: named = [] } = Object.groupBy([...notices, ...more], ({ code }) =>
    code === MORE_NOTICES ? 'counted' : 'told',
  );
  const told = [...new Map(named.map((notice) => [`${notice.code}|${notice.message}`, notice])).values()];
  const uncounted = counted.reduce((sum, { message }) => sum + Number.parseInt(message, 10), 0);
  const ordered = told.toSorted((a, b) => Number(isOfRemovedRows(b)) - Number(isOfRemovedRows(a)));
  const shown = ordered.slice(0, max - 1);
  const extra = uncounted + ordered.length - shown.length;
  return extra === 0
    ? shown
    : [...shown, { code: MORE_NOTICES, message: `${extra} more notices`, params: { count: extra } }];
};

/** Progress of a scope, independent of whether its units are periods or tenders. */
interface OutcomeFacts {
  unfinished: boolean;
  anyClean: boolean;
  /** The first fault of a unit. `unit` is the month or tender with the fault. */
  fault: { code: SyncErrorCode; message: string; unit: string | null } | null;
  found: number;
  created: number;
  updated: number;
  period: string | null;
  periods: string[];
}

const periodStanding = (task: SyncTask): OutcomeFacts => {
  const clean = task.done.filter(wasRead);
  const failed = task.done.find(({ errorCode }) => errorCode !== null);
  const sum = (counter: 'found' | 'created' | 'updated'): number =>
    task.done.reduce((total, period) => total + period[counter], 0);
  const asked = (task.periods ?? []).filter((period) => period !== null).sort();
  const withRows = clean.filter(({ period, found }) => period !== null && found > 0).map(({ period }) => period!);
  return {
    unfinished: task.periods === null || periodsLeft(task).length > 0,
    anyClean: clean.length > 0,
    fault: failed?.errorCode
      ? { code: failed.errorCode, message: failed.errorMessage ?? '', unit: failed.period }
      : null,
    found: sum('found'),
    created: sum('created'),
    updated: sum('updated'),
    period: withRows.sort().at(-1) ?? asked.at(-1) ?? null,
    periods: clean.flatMap(({ period }) => (period === null ? [] : [period])).sort(),
  };
};

const tenderStanding = ({ left, clean, fault, found, created, updated }: TenderTask): OutcomeFacts => ({
  unfinished: left.length > 0,
  anyClean: clean > 0,
  fault: fault && { code: fault.errorCode, message: fault.errorMessage, unit: fault.codigo },
  found,
  created,
  updated,
  period: null,
  periods: [],
});

/**
 * Builds the outcome of a scope from the results of its periods or tenders.
 *
 * @param failure a fault of the whole scope, which overrides the faults of its units
 * @param label name of the scope for people
 */
export const buildOutcome = (
  task: SyncTask,
  nowMs: number,
  failure: { code: SyncErrorCode; message: string } | null,
  label: string = task.scope,
): ScopeOutcome => {
  const at = task.tenders === null ? periodStanding(task) : tenderStanding(task.tenders);
  const status = failure === null && !at.unfinished && !at.fault ? 'ok' : at.anyClean ? 'partial' : 'failed';
  const error =
    status === 'ok'
      ? null
      : {
          ...(at.fault ?? { code: 'sync.internal_error' as const, message: 'not every period was synchronized' }),
          ...(failure === null ? {} : { ...failure, unit: null }),
        };
  return {
    scope: task.scope,
    status,
    recordsFound: at.found,
    recordsCreated: at.created,
    recordsUpdated: at.updated,
    durationMs: task.firstLeasedAt === null ? 0 : Math.max(0, nowMs - Date.parse(task.firstLeasedAt)),
    period: at.period,
    periods: at.periods,
    errorCode: error?.code ?? null,
    errorMessage: error && tellFault(label, error.unit ?? null, error.message),
    notices: task.notices,
  };
};

/** Returns the outcome of a scope that ends because its run is cancelled. The outcome includes the results so far. */
export const cancelledOutcome = (outcome: ScopeOutcome): ScopeOutcome => ({
  ...outcome,
  status: 'cancelled',
  errorCode: 'sync.cancelled',
  errorMessage: 'The run was cancelled.',
});

/**
 * Returns the wait before attempt `attempts + 1`. The wait doubles with each attempt and has jitter, so that scopes do
 * not retry at the same moment.
 */
export const backoffMs = (attempts: number, baseMs: number, maxMs: number, random: number): number =>
  Math.min(maxMs, baseMs * 2 ** Math.max(0, attempts - 1)) * (0.5 + random / 2);
