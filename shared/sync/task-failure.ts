/** Decides what follows a fault of an attempt. run-task.ts carries out the decision. */
import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { ServiceBusy } from '#shared/platform/patience.ts';
import { LoginPostponed, LoginRefused, SourceError } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { LoginInFlight } from '#shared/sync/login/login-gate.ts';
import { SessionLost } from '#shared/sync/login/source-session.ts';
import { AskAgain } from '#shared/sync/reading/sync-context.ts';
import { NeedsRoom, OutOfTime, OutOfTurn } from '#shared/sync/task/heartbeat.ts';
import { backoffMs, mayAskAgain, type SyncTask, WHOLE_SCOPE } from '#shared/sync/task/task.rules.ts';
import { TaskConflict } from '#shared/sync/task/task.store.ts';
import { msLeft } from '#shared/sync/task/task-time.ts';
import { LeaseLost } from '#shared/table/lease.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import type { RunFailure } from './run.rules.ts';

export type Resolution =
  /** The run was cancelled, or another worker holds the lease. */
  | { kind: 'clean-up' }
  /** Another worker continues; with `runsAlone` it has an invocation for itself. The attempt is not counted. */
  | { kind: 'hand-over'; delayMs: number; runsAlone?: true }
  /** The login may make no call before `untilMs`. The attempt is not counted. */
  | { kind: 'rest'; untilMs: number }
  /** Another scope of the run is logging in. */
  | { kind: 'await-login'; login: string }
  /**
   * `refused` names the unit whose answers were refused by their content. Only the answers of this unit are requested
   * again.
   */
  | { kind: 'retry'; delayMs: number; failure: RunFailure; refused: string | null }
  /** A null failure means that the scope ended well. */
  | { kind: 'end'; failure: RunFailure | null };

export const resolveFailure = (task: SyncTask, error: unknown): Resolution => {
  if (error instanceof LeaseLost || error instanceof TaskConflict) return { kind: 'clean-up' };
  if (error instanceof OutOfTurn) return { kind: 'rest', untilMs: Math.min(error.untilMs, nowMs() + msLeft(task) + 1) };
  if (error instanceof NeedsRoom) return { kind: 'hand-over', delayMs: 0, runsAlone: true };
  if (error instanceof OutOfTime) return { kind: 'hand-over', delayMs: 0 };
  if (error instanceof ServiceBusy) return handOverBusy(error);
  if (error instanceof LoginInFlight) return { kind: 'await-login', login: error.login };
  if (error instanceof AskAgain)
    return { kind: 'retry', delayMs: pauseAfter(task, 0), failure: failureOf(error.refusal), refused: error.unit };
  if (error instanceof LoginPostponed) return { kind: 'hand-over', delayMs: error.retryAfterMs ?? 0 };
  return retryOrEnd(task, error);
};

/** A busy service of AWS is no fault of the scope, so the wait costs no attempt. */
const handOverBusy = (error: ServiceBusy): Resolution => {
  log.warn('a task is handed over because a service of AWS is busy', describeError(error));
  return { kind: 'hand-over', delayMs: SYNC_LIMITS.busyHandOverMs * (0.5 + Math.random() / 2) };
};

const retryOrEnd = (task: SyncTask, error: unknown): Resolution => {
  const failure = failureOf(error);
  const isRefused = failure.code === 'source.unexpected_response';
  const isLast =
    error instanceof LoginRefused ||
    error instanceof SessionLost ||
    (isRefused && !mayAskAgain(task, WHOLE_SCOPE, SYNC_LIMITS.scopeAttemptsMax)) ||
    !SYNC_ERRORS[failure.code].retried ||
    task.attempts >= SYNC_LIMITS.scopeAttemptsMax;
  if (isLast) return { kind: 'end', failure };
  const askedMs = error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0;
  if (askedMs > msLeft(task)) return { kind: 'end', failure: askedTooLong(failure, askedMs) };
  return { kind: 'retry', delayMs: pauseAfter(task, askedMs), failure, refused: isRefused ? WHOLE_SCOPE : null };
};

/**
 * True if the session stays open until the next attempt, which must come soon. No fault but the end of a session affects
 * the session, and a run makes few logins.
 */
export const keepsSession = (resolution: Resolution): boolean =>
  resolution.kind === 'retry' && resolution.delayMs <= SYNC_LIMITS.sessionRestMs;

const pauseAfter = ({ attempts }: SyncTask, askedMs: number): number => {
  const { retryBackoffSeconds, retryBackoffMaxSeconds } = SYNC_LIMITS;
  const ownMs = backoffMs(attempts, retryBackoffSeconds * 1000, retryBackoffMaxSeconds * 1000, Math.random());
  return Math.max(askedMs, ownMs);
};

/**
 * Returns the failure for an institution that asks for a longer wait than the time that is left for the scope
 * (decisions.md §5, "Retry-After").
 */
const askedTooLong = ({ code, message }: RunFailure, askedMs: number): RunFailure => ({
  // If the institution announces the end of its maintenance, our calls did not cause the wait.
  code: code === 'source.maintenance' ? code : 'source.rate_limited',
  message: `${message}; the institution asks to wait ${Math.ceil(askedMs / 1000)} s, longer than the scope may take.`,
});

const failureOf = (error: unknown): RunFailure => {
  if (error instanceof SourceError) return { code: error.code, message: error.message };
  log.error('a scope met an unknown error', describeError(error));
  return { code: 'sync.internal_error', message: 'An internal error interrupted the scope.' };
};
