/**
 * One try at a scope of a run (architecture.md §5.3). Trigger: a message of the scope's queue. A message whose hop is
 * not the work's is stale and ends here; duplicates therefore die out. Side effects: rows, index and checkpoint of the
 * scope; at its end the outcome, and with the last one the run.
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import type { ScopeWork as ScopeMessage } from '#shared/messaging/queues.ts';
import type { WorkerContext } from '#shared/messaging/worker.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { dirtyPeriods } from '#shared/rows/page-index.store.ts';
import { reindex } from '#shared/rows/write-period.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { LoginPostponed, LoginRefused, type SourceAdapter, SourceError } from '#shared/sources/source.ts';
import { type Lease, LeaseLost, type Login, release } from '#shared/table/lease.ts';
import * as table from '#shared/table/table.ts';
import { SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import { hintWork } from './enqueue-task.ts';
import { beginScope, endScope, type Failure } from './finish-run.ts';
import { OutOfTime, startHeartbeat } from './heartbeat.ts';
import { LoginInFlight, loginGate } from './login-gate.ts';
import { type OpenedCredentials, openCredentials } from './open-credentials.ts';
import { isDone, isTerminal, type SyncRun } from './run.rules.ts';
import * as runs from './run.store.ts';
import { makeIo } from './source-io.ts';
import { finalVerdict, logOut } from './source-login.ts';
import { LoginFailed, SessionLost } from './source-session.ts';
import { AskAgain } from './sync-context.ts';
import { synchronize } from './sync-periods.ts';
import { backoffMs, mayAskAgain, type ScopeWork, WHOLE_SCOPE } from './task.rules.ts';
import * as works from './task.store.ts';
import { msLeft, timedOut } from './task-time.ts';
import * as waiters from './waiter.store.ts';
import { beginWaiting, mayGoOn, passOn, passSlotOn, takeOrWait, wakeAfter } from './wake-waiters.ts';

type WorkMessage = Extract<ScopeMessage, { kind: 'work' }>;

interface Attempt {
  scope: ScopeDefinition;
  lease: Lease;
  /** As it is now: every checkpoint moves it. */
  work: ScopeWork;
}

interface Try extends Attempt {
  source: SourceAdapter;
  connection: Connection;
  run: SyncRun;
  opened: OpenedCredentials;
}

export const workOnScope = async (
  message: WorkMessage,
  context: WorkerContext,
  source: SourceAdapter,
  scope: ScopeDefinition,
): Promise<void> => {
  const { organizationId, connectionId, runId } = message;
  const [work, run, connection] = await Promise.all([
    works.find(organizationId, connectionId, runId, scope.name),
    runs.find(organizationId, connectionId, runId),
    connections.find(organizationId, connectionId),
  ]);
  if (!work) return;
  if (work.state === 'ended' || !run || isTerminal(run) || isDone(run.outcomes[scope.name]) || !connection) {
    // Cancelled since the message was sent: what the message was sent for is left to others.
    if (work.hop <= message.hop + 1) await passOn(work, connection && (await loginOrNull(connection, source)));
    return;
  }
  if (work.hop !== message.hop) return;
  // No message waits longer than 15 minutes: what is not due yet is sent on.
  if (work.movedAtMs > nowMs()) return hintWork(work, work.movedAtMs - nowMs());
  // Credentials that cannot be opened end the scope as any other fault does: under its lease, and after its tries.
  const opened = await openCredentials(connection, source).catch((error: unknown) => ({ fault: error }));
  const login = 'fault' in opened ? null : opened.login;

  const begun = await takeOrWait(work, login);
  if (!begun) return;
  if (login === null) await passSlotOn(work, null);
  const { lease, work: taken } = begun;
  const attempt: Attempt = { scope, lease, work: taken };
  const over = isOver(taken) ?? ('fault' in opened ? null : finalVerdict(run, opened.version));
  if (over) return endScope(taken, lease, scope, over);
  if ('fault' in opened) return whatNow(attempt, opened.fault)();
  await oneTry({ ...attempt, source, connection, run, opened }, context);
};

const loginOrNull = async (connection: Connection, source: SourceAdapter): Promise<Login | null> =>
  openCredentials(connection, source).then(
    ({ login }) => login,
    () => null,
  );

/** Reasons to end the scope before anything is asked. */
const isOver = (work: ScopeWork): Failure | null => {
  if (work.tries > LIMITS.scopeTriesMax)
    return {
      code: work.lastErrorCode ?? 'sync.internal_error',
      message: work.lastErrorMessage ?? 'The scope was interrupted in each of its tries.',
    };
  return timedOut(work);
};

const oneTry = async (attempt: Try, context: WorkerContext): Promise<void> => {
  const { source, scope, connection, run, opened, lease } = attempt;
  const heartbeat = startHeartbeat(lease, attempt.work, context.remainingMs());
  lease.signal = heartbeat.signal;
  const login = loginGate({ work: attempt.work, run, opened, lease });
  const io = makeIo(source.manifest, heartbeat.signal, opened.credentials, login);
  let end: () => Promise<void>;
  let isResting = false;
  try {
    await beginScope(attempt.work);
    await synchronize({
      source,
      scope,
      connection,
      run,
      opened,
      lease,
      io,
      signal: heartbeat.signal,
      work: () => attempt.work,
      move: async (changes) => {
        attempt.work = await works.move(attempt.work, changes, LIMITS.leaseMs + LIMITS.leaseMarginMs);
      },
    });
    end = () => endScope(attempt.work, lease, scope, null);
  } catch (error) {
    const fault = error instanceof LoginFailed ? error.cause : error;
    end = whatNow(attempt, heartbeat.signal.aborted ? heartbeat.signal.reason : fault);
    isResting = !heartbeat.signal.aborted && rests(attempt, error);
  }
  try {
    // A handover goes on at once, with this session, and a short pause soon; everything else may take long or be over.
    if (!isResting && !(heartbeat.signal.reason instanceof OutOfTime)) await leaveSession(attempt);
    await end();
  } catch (error) {
    if (!(error instanceof LeaseLost || error instanceof works.WorkMoved)) throw error;
  } finally {
    heartbeat.stop();
  }
};

/** What follows on a fault: nothing, a handover, another try, or the end. */
const whatNow = (attempt: Attempt, error: unknown): (() => Promise<void>) => {
  const { lease, scope } = attempt;
  if (error instanceof LeaseLost || error instanceof works.WorkMoved) return () => putAway(attempt);
  if (error instanceof OutOfTime) return () => handOver(attempt);
  if (error instanceof LoginInFlight) return () => waitForVerdict(attempt, error.login);
  if (error instanceof AskAgain)
    return () => tryAgain(attempt, pauseAfter(attempt, 0), failureOf(error.refusal), error.unit);
  if (error instanceof LoginPostponed) return () => sendOn(attempt, { state: 'handover' }, error.retryAfterMs ?? 0);
  const failure = failureOf(error);
  if (error instanceof LoginRefused) return () => endScope(attempt.work, lease, scope, failure);
  const isRefused = failure.code === 'source.unexpected_response';
  if (isRefused && !mayAskAgain(attempt.work, WHOLE_SCOPE, LIMITS.scopeTriesMax))
    return () => endScope(attempt.work, lease, scope, failure);
  if (!SYNC_ERRORS[failure.code].retried || attempt.work.tries >= LIMITS.scopeTriesMax)
    return () => endScope(attempt.work, lease, scope, failure);
  const asked = error instanceof SourceError ? (error.retryAfterMs ?? 0) : 0;
  if (asked > msLeft(attempt.work)) return () => endScope(attempt.work, lease, scope, askedTooLong(failure, asked));
  return () => tryAgain(attempt, pauseAfter(attempt, asked), failure, isRefused ? WHOLE_SCOPE : null);
};

/** Faults of the institution that say nothing of the session: the next try goes on with it where it comes soon. */
const PASSING: ReadonlySet<string> = new Set(['source.rate_limited', 'source.unavailable', 'source.maintenance']);

const rests = ({ work }: Attempt, error: unknown): boolean =>
  error instanceof SourceError &&
  PASSING.has(error.code) &&
  !(error instanceof SessionLost) &&
  work.tries < LIMITS.scopeTriesMax &&
  (error.retryAfterMs ?? 0) <= Math.min(LIMITS.sessionRestMs, msLeft(work));

const pauseAfter = ({ work }: Attempt, askedMs: number): number => {
  const { retryBackoffSeconds, retryBackoffMaxSeconds } = LIMITS;
  return Math.max(
    askedMs,
    backoffMs(work.tries, retryBackoffSeconds * 1000, retryBackoffMaxSeconds * 1000, Math.random()),
  );
};

/** The institution wants to be left alone for longer than the scope has (decisions.md §5, "Retry-After"). */
const askedTooLong = ({ code, message }: Failure, askedMs: number): Failure => ({
  // Who says until when maintenance lasts has not counted our calls.
  code: code === 'source.maintenance' ? code : 'source.rate_limited',
  message: `${message}; the institution asks to wait ${Math.ceil(askedMs / 1000)} s, longer than the scope may take.`,
});

export const failureOf = (error: unknown): Failure => {
  if (error instanceof SourceError) return { code: error.code, message: error.message };
  log.error('a scope met an unknown error', describeError(error));
  return { code: 'sync.internal_error', message: 'An internal error interrupted the scope.' };
};

/** Hands lease and slot back and sends the work on. Who waits goes first where it is not due at once. */
const sendOn = async (attempt: Attempt, changes: Partial<ScopeWork>, delayMs: number): Promise<void> => {
  const { work, lease } = attempt;
  const hop = work.hop + 1;
  await table.transact([
    works.workChange(work, { ...changes, hop, movedAtMs: nowMs() + delayMs }, delayMs + LIMITS.messageGraceMs),
    ...release(lease),
  ]);
  await hintWork({ ...work, hop }, delayMs);
  if (delayMs > 0) await wakeAfter(lease, work.runId);
};

const handOver = (attempt: Attempt): Promise<void> => sendOn(attempt, { state: 'handover' }, 0);

/** `refused` names whose answers were refused by their content: those are asked for anew, others are not. */
const tryAgain = async (
  attempt: Attempt,
  delayMs: number,
  failure: Failure,
  refused: string | null = null,
): Promise<void> => {
  await sendOn(
    attempt,
    {
      state: 'waiting',
      lastErrorCode: failure.code,
      lastErrorMessage: failure.message,
      ...(refused === null ? {} : { answers: [], refused: [...attempt.work.refused, refused] }),
    },
    delayMs,
  );
  record('ScopeRetries', 1, { source: attempt.work.source });
};

/** Another scope of the run logs in. The try goes on as after a handover: to wait for another's login costs none. */
const waitForVerdict = async ({ work, lease }: Attempt, login: string): Promise<void> => {
  const { waiting, items } = beginWaiting(work, { for: 'verdict', login }, { state: 'handover' });
  await table.transact([...items, ...release(lease)]);
  await wakeAfter(lease, work.runId);
  // The verdict may have come before the waiter was there to be found.
  if (!(await mayGoOn(waiting))) return;
  await waiters.leave(waiting);
  await hintWork(waiting, 0);
};

/** Cancelled, or taken over. If the lease is still ours the index is made right and the lease given back. */
const putAway = async ({ lease, scope, work }: Attempt): Promise<void> => {
  const address = { organizationId: lease.organizationId, connectionId: lease.connectionId, scope: scope.name };
  for (const period of await dirtyPeriods(address)) await reindex(address, scope, period, lease);
  await table.transact(release(lease));
  await wakeAfter(lease, work.runId);
};

/** Scopes of a run share a session where they can; the last one logs out. A session left here has a due entry. */
const leaveSession = async (attempt: Try): Promise<void> => {
  const { lease, run, scope, source } = attempt;
  if (lease.slot === null) return;
  const now = await runs.find(run.organizationId, run.connectionId, run.id);
  const others = now?.scopes.some((other) => other !== scope.name && !isDone(now.outcomes[other])) ?? false;
  if (others && !isTerminal(now!)) return;
  const { login, n } = lease.slot;
  try {
    // Not the work's signal: that one may have aborted, and the place at the institution must be freed all the same.
    const io = makeIo(source.manifest, AbortSignal.timeout(LIMITS.logoutMs), attempt.opened.credentials);
    await logOut(lease.organizationId, login, n, source, io);
  } catch (error) {
    log.warn('a session could not be logged out now; its due entry stays', describeError(error));
  }
};
