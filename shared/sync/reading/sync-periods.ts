/** Reads the periods of a scope one after the other: download → store raw → parse → write → checkpoint. */

import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { isAnythingStored } from '#shared/rows/index/page-index.store.ts';
import { findKnownAccounts, keepKnownAccounts } from '#shared/rows/write/account-memory.store.ts';
import { FactsContradicted } from '#shared/rows/write/hold-facts.ts';
import { keepNumberNotes } from '#shared/rows/write/number-notes.store.ts';
import { NOTHING_COUNTED, type PeriodCounts } from '#shared/rows/write/period-counts.ts';
import { RowsRewritten } from '#shared/rows/write/renumbered.rules.ts';
import type { Writer } from '#shared/rows/write/row.store.ts';
import { type WriteOptions, writePeriod } from '#shared/rows/write/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SourceError } from '#shared/sources/source.ts';
import { gapIn } from '#shared/sync/coverage/gap.rules.ts';
import { withoutEarlierRemovals, withoutLaterCounts, writtenNotices } from '#shared/sync/end/written-notices.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { SessionHolder } from '#shared/sync/login/source-session.ts';
import { note, type ReportProgress, reporter } from '#shared/sync/progress.ts';
import { isDone, type OutcomeNotice } from '#shared/sync/run.rules.ts';
import { OutOfTime } from '#shared/sync/task/heartbeat.ts';
import { type PeriodDone, periodDone, wasRead, withoutShown } from '#shared/sync/task/period-done.rules.ts';
import { addNotices, mayAskAgain, periodsLeft, type SyncTask, WHOLE_SCOPE } from '#shared/sync/task/task.rules.ts';
import { type BesideBreaks, compareBeside, findBreaks, updateBeside } from '#shared/sync/task/walk-breaks.rules.ts';
import { santiagoPeriod } from '#shared/values/dates.ts';
import { type KnownAccounts, learnAccounts, NOTHING_KNOWN, type SeenAccount } from '#shared/values/known-accounts.ts';
import { noticeCode } from '#shared/values/notice-code.ts';
import { accountKey } from '#shared/values/statements.ts';
import { findLastReading, type JudgedReading, judgeStatements } from './judge-statements.ts';
import { type ReadPeriod, readAnswers } from './parse-period.ts';
import { type PeriodInput, planPeriods, splitBegun } from './period-plan.rules.ts';
import { buildRequest, openAnswerLog, type Synchronization, skipUnitOrThrow } from './sync-context.ts';
import { synchronizeTenders } from './sync-tenders.ts';
import { findTotalsNow } from './totals-now.ts';

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
    const { done, before } = await onePeriod(sync, session, period, report).catch((error: unknown) => {
      const { code, message } = skipUnitOrThrow(sync, period ?? WHOLE_SCOPE, error);
      const { fence } = sync.lease;
      const failed = { ...NOTHING_DONE, period, fence, errorCode: code, errorMessage: message };
      return { done: failed, before: sync.task().done };
    });
    await sync.move({ done: [...before, done] });
  }
  const notices = await findTotalsNow(sync.task(), sync.scope);
  if (notices) await sync.move({ notices });
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
  const told = notBegun.map((period) => ({
    code,
    message: `${period} has not begun yet, so it was not read.`,
    params: { period },
  }));
  return { periods: begun, notices: addNotices(notices, told, SYNC_LIMITS.noticesPerScopeMax) };
};

const onePeriod = async (
  sync: Synchronization,
  session: SessionHolder,
  period: string | null,
  report: ReportProgress,
): Promise<{ done: PeriodDone; before: readonly PeriodDone[] }> => {
  const { scope, connection, run, lease } = sync;
  const address = { organizationId: run.organizationId, connectionId: connection.id, scope: scope.name };
  const isBank = sync.source.manifest.type === 'bank';
  const known = isBank ? await findKnownAccounts(address, period) : NOTHING_KNOWN;
  const firstFence = sync.task().firstFence ?? undefined;
  const writer = { address, scope, runId: run.id, lease, period: period ?? POINT_IN_TIME, firstFence };
  const judged = await readPeriod(sync, session, { writer, period, known }, report);
  const { read } = judged;
  const count = read.rows.list.length.toLocaleString('en-US');
  report('storing', `${scope.name} ${period ?? ''}: storing ${count} rows`);
  const counts = await writeRead(sync, writer, period, judged);
  const notices = [...read.notices, ...(counts.completed > 0 ? read.whereKept : [])];
  const written = writtenNotices(scope, period, counts, notices);
  await addToTask(sync, [...written, ...notices]);
  // The notices are stored before the accounts, because the notices depend on the accounts known so far. A worker that
  // resumes after a crash finds the same notices again, and each notice counts once.
  const seen = storedAccounts(read.accounts, counts, period);
  const learnt = learnAccounts(known, period, seen, read.missing);
  await keepKnownAccounts(writer, period, known, learnt);
  if (counts.notes) await keepNumberNotes(writer, counts.notes.period, counts.notes.before, counts.notes.after);
  // If a reading shows some rows, the stored rows that it does not show may have been removed at the source. If a
  // reading shows no row, it is incomplete.
  const isGap = ({ code }: OutcomeNotice) => counts.found === 0 || !code.endsWith('.rows_kept');
  const gap = gapIn([...notices, ...written.filter(isGap)], period);
  const beside = period === null ? null : compareBeside(period, learnt.statements);
  const breaks = [...findBreaks(counts.walks), ...(beside?.before ?? []), ...(beside?.after ?? [])];
  const isDoubted = read.doubtful.length + counts.held > 0;
  const { readAt, unreadable } = read;
  const result = {
    ...{ gap, isDoubted, readAt, unreadable, fence: lease.fence },
    breaks: breaks.slice(0, SYNC_LIMITS.breaksPerMonthMax),
    notShown: counts.notShown.slice(0, SYNC_LIMITS.notShownPerMonthMax),
  };
  return { done: periodDone(period, counts, result), before: withNow(sync.task().done, period, read, beside) };
};

/** Returns the earlier months of the run, with what the reading of one more month says about them. */
const withNow = (
  done: readonly PeriodDone[],
  period: string | null,
  { rows }: ReadPeriod,
  beside: BesideBreaks | null,
): readonly PeriodDone[] => {
  if (period === null || beside === null) return done;
  const hasMissing = done.some(({ notShown }) => notShown !== undefined);
  const left = hasMissing ? withoutShown(done, new Set(rows.list.map(({ id }) => id))) : done;
  return updateBeside(left, period, beside);
};

const writeRead = async (
  sync: Synchronization,
  writer: Writer,
  period: string | null,
  { read: { rows, closed, doubtful, told }, statements }: JudgedReading,
): Promise<PeriodCounts> => {
  const { scope } = sync;
  const unit = period ?? WHOLE_SCOPE;
  const options: WriteOptions = {
    mayBeElsewhere: await isAnythingStored(writer.address),
    closed,
    doubtful,
    told,
    compared: new Set(sync.task().done.flatMap((month) => (wasRead(month) ? (month.period ?? []) : []))),
    statements,
    facts: {
      isSecondReading: !mayAskAgain(sync.task(), unit, SYNC_LIMITS.scopeAttemptsMax),
      findLastReading: () => findLastReading(writer),
    },
    recognizes: true,
    beforeWriting: (lost) => addToTask(sync, writtenNotices(scope, period, { ...NOTHING_COUNTED, ...lost }, [])),
  };
  return writePeriod(writer, rows, options).catch((error: unknown) => contradicted(scope, period, error));
};

/**
 * Returns the accounts to remember. A statement that was not stored is left out. If the bank gives no statements, the
 * stored movements themselves say with which balances the month begins and ends.
 */
const storedAccounts = (
  accounts: readonly SeenAccount[],
  { unread, walks }: PeriodCounts,
  period: string | null,
): SeenAccount[] => {
  const left = new Set(unread);
  const stored = new Map(walks.map((one) => [one.account, one]));
  return accounts.map(({ account, statement }) => {
    const key = accountKey(account);
    if (left.has(key)) return { account };
    const { walk, rows = 0 } = stored.get(key) ?? {};
    if (statement || period === null || walk?.state !== 'holds' || walk.closing === null || rows === 0)
      return { account, ...(statement && { statement }) };
    const isOpen = period >= santiagoPeriod(nowMs());
    return { account, statement: { opening: walk.opening, closing: walk.closing, isOpen, rows } };
  });
};

const addToTask = async (sync: Synchronization, found: readonly OutcomeNotice[]): Promise<void> => {
  const notices = withoutLaterCounts(sync.task().notices, found);
  if (notices.length === 0) return;
  const before = withoutEarlierRemovals(sync.task().notices, notices);
  await sync.move({ notices: addNotices(before, notices, SYNC_LIMITS.noticesPerScopeMax) });
};

/** This is a separate function, so that the raw answers are freed before the rows are written. */
const readPeriod = async (
  sync: Synchronization,
  session: SessionHolder,
  { writer, period, known }: { writer: Writer; period: string | null; known: KnownAccounts },
  report: ReportProgress,
): Promise<JudgedReading> => {
  const { source, io } = sync;
  const book = openAnswerLog(sync, session, period);
  const request = { ...buildRequest(sync, period), known };
  const progress = (message: string) => report('downloading', message);
  const answers = await book.collect((ask) =>
    session.use((open) => source.pull(request, { session: open, ask, io, progress })),
  );
  const read = await readAnswers(sync, request, answers);
  return judgeStatements(writer, read, known, (trusted) =>
    readAnswers(sync, { ...request, known: { ...known, trusted } }, answers),
  );
};

/**
 * Throws the error. If the error says that the answer contradicts the stored rows, throws it as an unexpected response
 * of the source.
 */
const contradicted = (scope: ScopeDefinition, period: string | null, error: unknown): never => {
  if (error instanceof FactsContradicted)
    throw new SourceError('source.unexpected_response', `${scope.name} ${period}: ${error.message}`, { cause: error });
  if (!(error instanceof RowsRewritten)) throw error;
  const message = `${scope.name} ${period}: ${error.message}, more than are accepted at once; they are stored if a sync ${error.standHours} hours later shows the same`;
  throw new SourceError('source.unexpected_response', message, { cause: error });
};

const NOTHING_DONE = { found: 0, created: 0, updated: 0 };

/** Rows of a point-in-time scope share one partition. */
const POINT_IN_TIME = 'now';
