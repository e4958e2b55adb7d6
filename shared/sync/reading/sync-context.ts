/** The context for synchronizing a scope, whether it is read by period or by tender. */

import type { Connection } from '#shared/connections/connection.rules.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import {
  type JsonObject,
  LoginPostponed,
  LoginRefused,
  type PullRequest,
  type SourceAdapter,
  SourceError,
} from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { OpenedCredentials } from '#shared/sync/login/open-credentials.ts';
import type { EngineIo } from '#shared/sync/login/source-io.ts';
import type { SessionHolder } from '#shared/sync/login/source-session.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import { mayAskAgain, type SyncTask } from '#shared/sync/task/task.rules.ts';
import type { Lease } from '#shared/table/lease.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type AnswerBook, rawAnswerLog } from './raw-answer-log.ts';

export interface Synchronization {
  source: SourceAdapter;
  scope: ScopeDefinition;
  connection: Connection;
  run: SyncRun;
  opened: OpenedCredentials;
  lease: Lease;
  io: EngineIo;
  signal: AbortSignal;
  /**
   * True for the first unit of an attempt that resumes an earlier attempt, false for every later unit. Units are read
   * in order, so only the first unit can be half read.
   */
  consumeResume(): boolean;
  /** The task as last stored. */
  task(): SyncTask;
  /** Hands the task over to an invocation for itself. */
  leaveShared(): void;
  /** Stores the checkpoint. */
  move(changes: Partial<SyncTask>): Promise<void>;
}

/** The answers of a period or tender were refused for the first time in this run. The sync requests them once more. */
export class AskAgain extends AppError {
  readonly unit: string;
  readonly refusal: SourceError;
  constructor(unit: string, refusal: SourceError) {
    super(refusal.message, { cause: refusal });
    this.unit = unit;
    this.refusal = refusal;
  }
}

/**
 * Returns the refusal of a period or tender whose answers were refused twice in this run, so that the caller skips this
 * unit and continues with the next unit.
 *
 * @throws AskAgain at the first refusal, and every error that concerns the whole scope
 */
export const skipUnitOrThrow = (sync: Synchronization, unit: string, error: unknown): SourceError => {
  // A failed login concerns the whole scope.
  const isLogin = error instanceof LoginRefused || error instanceof LoginPostponed;
  const isOwn = error instanceof SourceError && error.code === 'source.unexpected_response' && !isLogin;
  if (!isOwn || sync.signal.aborted) throw error;
  if (mayAskAgain(sync.task(), unit, SYNC_LIMITS.scopeAttemptsMax)) throw new AskAgain(unit, error);
  return error;
};

export const buildRequest = (
  { scope, connection, run, opened }: Synchronization,
  period: string | null,
): PullRequest => ({
  scope: scope.name,
  period,
  credentials: opened.credentials,
  metadata: connection.metadata as JsonObject,
  input: run.inputMetadata as JsonObject,
});

/** Hands the task over to an invocation for itself if it shares one and its data are large. */
export const leaveIfLarge = (sync: Pick<Synchronization, 'task' | 'leaveShared'>, bytes: number): void => {
  if (sync.task().isShared === true && bytes > SYNC_LIMITS.sharedAnswerBytesMax) sync.leaveShared();
};

/**
 * Opens the log of raw answers for one unit.
 * @param unit period, tender code or another name such as `days`; null for a point-in-time scope
 */
export const openAnswerLog = (sync: Synchronization, session: SessionHolder, unit: string | null): AnswerBook =>
  rawAnswerLog({
    unit,
    isResumed: sync.consumeResume(),
    task: sync.task,
    onBytes: (bytes) => leaveIfLarge(sync, bytes),
    onKept: () => session.keepNowAndThen(),
    signal: sync.signal,
    redactor: sync.io.redactor,
  });
