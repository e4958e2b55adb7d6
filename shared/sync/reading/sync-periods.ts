/** Reads the periods of a scope one after the other: download → store raw → parse → write → checkpoint. */

import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { isAnythingStored } from '#shared/rows/index/page-index.store.ts';
import { ROW_LIMITS } from '#shared/rows/limits.ts';
import { findKnownAccounts, keepKnownAccounts } from '#shared/rows/write/account-memory.store.ts';
import { keepNumberNotes } from '#shared/rows/write/number-notes.store.ts';
import { NOTHING_COUNTED, type PeriodCounts } from '#shared/rows/write/period-counts.ts';
import { RowsRewritten } from '#shared/rows/write/renumbered.rules.ts';
import type { Writer } from '#shared/rows/write/row.store.ts';
import { type WriteOptions, writePeriod } from '#shared/rows/write/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SourceError } from '#shared/sources/source.ts';
import { gapIn } from '#shared/sync/coverage/gap.rules.ts';
import { withoutEarlierRemovals, writtenNotices } from '#shared/sync/end/written-notices.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { SessionHolder } from '#shared/sync/login/source-session.ts';
import { note, type ReportProgress, reporter } from '#shared/sync/progress.ts';
import { isDone, type OutcomeNotice } from '#shared/sync/run.rules.ts';
import { OutOfTime } from '#shared/sync/task/heartbeat.ts';
import {
  addNotices,
  type PeriodDone,
  periodDone,
  periodsLeft,
  type SyncTask,
  WHOLE_SCOPE,
} from '#shared/sync/task/task.rules.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { type KnownAccounts, learnAccounts, NOTHING_KNOWN } from '#shared/values/known-accounts.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { type ReadPeriod, readAnswers } from './parse-period.ts';
import { type PeriodInput, planPeriods, splitBegun } from './period-plan.rules.ts';
import { buildRequest, openAnswerLog, type Synchronization, skipUnitOrThrow } from './sync-context.ts';
import { synchronizeTenders } from './sync-tenders.ts';

/**
 * Returns when every period or tender is done or given up.
 *
 * @throws every fault that concerns the whole scope
 */
export const synchronize = async (sync: Synchronization): Promise<void> => {
  const session = new SessionHolder(() => ({ ...sync, task: sync.task() }));
  const report = reporter(sync.run);
  const { tenders } = sync.source;
  try {
    if (tenders) await synchronizeTenders(sync, tenders, session, report);
    else await synchronizePeriods(sync, session, report);
  } finally {
    await keepForOthers(sync, session);
  }
  if (isLastOpen(sync)) await note(sync.run, 'finishing', null);
};

/** True if every other scope of the run is done. The run is the version that was read when the attempt began. */
const isLastOpen = ({ run, scope }: Synchronization): boolean =>
  run.scopes.every((other) => other === scope.name || isDone(run.outcomes[other]));

/**
 * Stores the session for the next worker. An error here is only logged, so that it does not hide the fault that ended
 * the attempt. After a lost lease nothing is stored, because another worker may hold the slot.
 */
const keepForOthers = async ({ signal }: Synchronization, session: SessionHolder): Promise<void> => {
  if (signal.aborted && !(signal.reason instanceof OutOfTime)) return;
  try {
    await session.keepAsItIs();
  } catch (error) {
    log.warn('the current session could not be stored', describeError(error));
  }
};

const synchronizePeriods = async (
  sync: Synchronization,
  session: SessionHolder,
  report: ReportProgress,
): Promise<void> => {
  for (const period of periodsLeft(sync.task())) {
    sync.signal.throwIfAborted();
    const done = await onePeriod(sync, session, period, report).catch((error: unknown) => {
      const { code, message } = skipUnitOrThrow(sync, period ?? WHOLE_SCOPE, error);
      return { period, found: 0, created: 0, updated: 0, errorCode: code, errorMessage: message };
    });
    await sync.move({ done: [...sync.task().done, done] });
  }
};

/**
 * Returns the plan that the first worker of a scope stores together with the lease. The plan is empty for a scope that
 * is read by tender.
 */
export const planScope = (
  task: SyncTask,
  { scope, connection, run, source }: Pick<Synchronization, 'scope' | 'connection' | 'run' | 'source'>,
): Partial<SyncTask> => {
  const { notices } = task;
  if (task.periods !== null || source.tenders) return {};
  if (!scope.periodic) return { periods: [null] };
  const everSynced = connection.syncedScopes.includes(scope.name);
  const { manifest } = source;
  const backfillMonths = manifest.scopeBackfillMonths?.[scope.name] ?? manifest.backfillMonths;
  const current = santiagoPeriod(nowMs());
  const asked = planPeriods(run.inputMetadata as PeriodInput, current, { everSynced, backfillMonths });
  const { begun, notBegun } = splitBegun(asked, current);
  const code = noticeCode(`${manifest.code}.${scope.name}`, 'not_begun');
  const told = notBegun.map((period) => ({ code, message: `${period} has not begun yet, so it was not read.` }));
  return { periods: begun, notices: addNotices(notices, told, SYNC_LIMITS.noticesPerScopeMax) };
};

const onePeriod = async (
  sync: Synchronization,
  session: SessionHolder,
  period: string | null,
  report: ReportProgress,
): Promise<PeriodDone> => {
  const { scope, connection, run, lease } = sync;
  const address = { organizationId: run.organizationId, connectionId: connection.id, scope: scope.name };
  const isBank = sync.source.manifest.type === 'bank';
  const known = isBank ? await findKnownAccounts(address, period) : NOTHING_KNOWN;
  const read = await readPeriod(sync, session, { period, known }, report);
  const count = read.rows.list.length.toLocaleString('en-US');
  report('storing', `${scope.name} ${period ?? ''}: storing ${count} rows`);
  const firstFence = sync.task().firstFence ?? undefined;
  const writer = { address, scope, runId: run.id, lease, period: period ?? POINT_IN_TIME, firstFence };
  const counts = await writeRead(sync, writer, period, read);
  const notices = [...read.notices, ...(counts.completed > 0 ? read.whereKept : [])];
  const written = writtenNotices(scope, period, counts, notices);
  await addToTask(sync, [...written, ...notices]);
  // The notices are stored before the accounts, because the notices depend on the accounts known so far. A worker that
  // resumes after a crash finds the same notices again, and each notice counts once.
  const learnt = learnAccounts(known, period, read.accounts, read.missing);
  await keepKnownAccounts(writer, period, known, learnt);
  if (counts.notes) await keepNumberNotes(writer, counts.notes.period, counts.notes.before, counts.notes.after);
  // If a reading shows some rows, the stored rows that it does not show may have been removed at the source. If a
  // reading shows no row, it is incomplete.
  const gap = gapIn(counts.found === 0 ? [...notices, ...written] : notices, period);
  return periodDone(period, counts, { gap, readAt: read.readAt, unreadable: read.unreadable });
};

const writeRead = async (
  sync: Synchronization,
  writer: Writer,
  period: string | null,
  { rows, closed, doubtful, told }: ReadPeriod,
): Promise<PeriodCounts> => {
  const { scope } = sync;
  const options: WriteOptions = {
    mayBeElsewhere: await isAnythingStored(writer.address),
    closed,
    doubtful,
    told,
    recognizes: true,
    beforeWriting: (lost) => addToTask(sync, writtenNotices(scope, period, { ...NOTHING_COUNTED, ...lost }, [])),
  };
  return writePeriod(writer, rows, options).catch((error: unknown) => contradicted(scope, period, error));
};

const addToTask = async (sync: Synchronization, notices: readonly OutcomeNotice[]): Promise<void> => {
  if (notices.length === 0) return;
  const before = withoutEarlierRemovals(sync.task().notices, notices);
  await sync.move({ notices: addNotices(before, notices, SYNC_LIMITS.noticesPerScopeMax) });
};

/** This is a separate function, so that the raw answers are freed before the rows are written. */
const readPeriod = async (
  sync: Synchronization,
  session: SessionHolder,
  { period, known }: { period: string | null; known: KnownAccounts },
  report: ReportProgress,
): Promise<ReadPeriod> => {
  const { source, io } = sync;
  const book = openAnswerLog(sync, session, period);
  const request = { ...buildRequest(sync, period), known };
  await session.use((open) =>
    source.pull(request, { session: open, ask: book.ask, io, progress: (message) => report('downloading', message) }),
  );
  return readAnswers(sync, request, book.collected());
};

/**
 * Throws the error. If the error says that the answer contradicts the stored rows, throws it as an unexpected response
 * of the source.
 */
const contradicted = (scope: ScopeDefinition, period: string | null, error: unknown): never => {
  if (!(error instanceof RowsRewritten)) throw error;
  const message = `${scope.name} ${period}: ${error.message}, more than the ${ROW_LIMITS.rewrittenRowsMax} that are accepted at once; they are stored if a sync ${error.standHours} hours later shows the same`;
  throw new SourceError('source.unexpected_response', message, { cause: error });
};

/** Rows of a point-in-time scope share one partition. */
const POINT_IN_TIME = 'now';
