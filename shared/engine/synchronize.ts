/** The periods of a scope, one after the other: download → keep raw → parse → write → checkpoint. */
import type { Lease } from '#shared/data/leases.ts';
import { findSummary } from '#shared/data/page-indexes.ts';
import { writePeriod } from '#shared/data/rows.ts';
import * as runs from '#shared/data/runs.ts';
import type { Connection } from '#shared/domain/connection.ts';
import { santiagoPeriod } from '#shared/domain/dates.ts';
import { type PeriodInput, planPeriods } from '#shared/domain/period-plan.ts';
import { addNotices, type PeriodDone, periodsLeft, type ScopeWork } from '#shared/domain/scope-work.ts';
import type { SyncRun } from '#shared/domain/sync-run.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import {
  type JsonObject,
  type PullRequest,
  SessionExpired,
  type SourceAdapter,
  SourceError,
  type SourceIo,
} from '#shared/sources/source.ts';
import { answerBook } from './answers.ts';
import { readAnswers } from './read-period.ts';
import { keepSession, logIn, type OpenedCredentials, openSession, type SessionContext } from './sessions.ts';

export interface Synchronization {
  source: SourceAdapter;
  scope: ScopeDefinition;
  connection: Connection;
  run: SyncRun;
  opened: OpenedCredentials;
  lease: Lease;
  io: SourceIo;
  signal: AbortSignal;
  /** The work as it is now. */
  work(): ScopeWork;
  /** Writes the checkpoint. */
  move(changes: Partial<ScopeWork>): Promise<void>;
}

/** A login within the sync failed: a fault of the scope, never of the period that happened to be under way. */
export class LoginFailed extends Error {
  constructor(cause: unknown) {
    super('login failed', { cause });
  }
}

/** Ends when every period is done or given up. A fault that concerns the scope as a whole is thrown. */
export const synchronize = async (sync: Synchronization): Promise<void> => {
  await plan(sync);
  await note(sync, 'connecting', null);
  const session = new SessionHolder(sync);
  const reported = reporter(sync);
  for (const period of periodsLeft(sync.work())) {
    sync.signal.throwIfAborted();
    const done = await onePeriod(sync, session, period, reported).catch((error: unknown) =>
      failedPeriod(sync, period, error),
    );
    await sync.move({ done: [...sync.work().done, done], answers: [] });
  }
  await note(sync, 'finishing', null);
};

const plan = async (sync: Synchronization): Promise<void> => {
  const { scope, connection, run, source } = sync;
  if (sync.work().periods !== null) return;
  const everSynced = connection.syncedScopes.includes(scope.name);
  const periods = scope.periodic
    ? planPeriods(run.inputMetadata as PeriodInput, santiagoPeriod(nowMs()), everSynced, source.manifest.backfillMonths)
    : [null];
  await sync.move({ periods });
};

/**
 * In the last try a period that cannot be read is given up, and the others go on: they must not be lost with it.
 * Everything else ends the try.
 */
const failedPeriod = (sync: Synchronization, period: string | null, error: unknown): PeriodDone => {
  const isOwn = error instanceof SourceError && error.code === 'source.unexpected_response';
  if (!isOwn || sync.signal.aborted || sync.work().tries < LIMITS.scopeTriesMax) throw error;
  return { period, found: 0, created: 0, updated: 0, errorCode: error.code, errorMessage: error.message };
};

const loginFailed = (cause: unknown): never => {
  throw new LoginFailed(cause);
};

/** The session of this try: opened at first use, renewed once when the institution ends it. */
class SessionHolder {
  private session: JsonObject | undefined;
  private renewed = false;
  private keptAtMs = 0;
  private readonly context: () => SessionContext;

  constructor(sync: Synchronization) {
    this.context = () => ({ ...sync, work: sync.work() });
  }

  async get(): Promise<JsonObject> {
    this.session ??= await openSession(this.context()).catch(loginFailed);
    return this.session;
  }

  /** An adapter may change its session (a rotated cookie, call times): whoever resumes it needs it as it is now. */
  async keepNowAndThen(): Promise<void> {
    if (this.session === undefined || nowMs() - this.keptAtMs < LIMITS.leaseRenewMs) return;
    this.keptAtMs = nowMs();
    await keepSession(this.context(), this.session);
  }

  async renew(): Promise<void> {
    if (this.renewed) throw new SourceError('source.unavailable', 'The institution ended the session again and again.');
    this.renewed = true;
    await this.leave();
    this.session = await logIn(this.context()).catch(loginFailed);
  }

  /** What looks like the end of a session may be a page in its place: it must not go on holding a place there. */
  private async leave(): Promise<void> {
    const { source, io } = this.context();
    if (this.session === undefined) return;
    try {
      await source.disconnect(this.session, io);
    } catch (error) {
      log.warn('a session that seemed ended could not be logged out', describeError(error));
    }
  }
}

type Report = (stage: 'downloading' | 'storing', message: string) => void;

const onePeriod = async (
  sync: Synchronization,
  session: SessionHolder,
  period: string | null,
  report: Report,
): Promise<PeriodDone> => {
  const { source, scope, connection, run, opened, lease, signal, io } = sync;
  const checkpoint = async (answers: ScopeWork['answers']): Promise<void> => {
    await sync.move({ answers });
    await session.keepNowAndThen();
  };
  const book = answerBook(period, sync.work, checkpoint, signal);
  const request: PullRequest = {
    scope: scope.name,
    period,
    credentials: opened.credentials,
    metadata: connection.metadata as JsonObject,
    input: run.inputMetadata as JsonObject,
  };
  const pull = async (): Promise<void> =>
    source.pull(request, await session.get(), book.ask, io, (message) => report('downloading', message));
  try {
    await pull();
  } catch (error) {
    if (!(error instanceof SessionExpired)) throw error;
    await session.renew();
    await pull().catch((again: unknown) => {
      throw again instanceof SessionExpired ? new SourceError('source.unavailable', again.message) : again;
    });
  }
  const { rows, notices, closed } = await readAnswers(
    source,
    scope,
    connection.id,
    period,
    opened.credentials,
    book.collected(),
    signal,
  );
  report('storing', `${scope.name} ${period ?? ''}: storing ${rows.length.toLocaleString('en-US')} rows`);
  const address = { organizationId: run.organizationId, connectionId: connection.id, scope: scope.name };
  const anythingStored = Object.keys(await findSummary(address)).length > 0 || sync.work().tries > 1;
  const counts = await writePeriod(
    { address, scope, runId: run.id, lease },
    period ?? POINT_IN_TIME,
    rows,
    anythingStored,
    { closed },
  );
  await sync.move({ notices: addNotices(sync.work().notices, notices, LIMITS.noticesPerScopeMax) });
  return { period, ...counts, errorCode: null, errorMessage: null };
};

/** Rows of a point-in-time scope share one partition. */
const POINT_IN_TIME = 'now';

type Stage = Parameters<typeof runs.noteProgress>[1]['stage'];

const note = async (sync: Synchronization, stage: Stage, message: string | null): Promise<void> => {
  await runs.noteProgress(sync.run, { stage, message, updatedAt: nowIso() });
};

/** At most one write every two seconds, and never a fault of the sync. */
const reporter = (sync: Synchronization): Report => {
  let reportedAt = 0;
  return (stage, message) => {
    if (nowMs() - reportedAt < LIMITS.progressEveryMs) return;
    reportedAt = nowMs();
    note(sync, stage, message).catch(() => undefined);
  };
};
