/**
 * Makes one attempt at a scope of a run (architecture.md §5.3). Trigger: a message of the scope's queue. A message
 * whose generation differs from the task's generation is stale and is dropped, so duplicates have no effect. Side
 * effects: the attempt writes rows, index and checkpoint of the scope; at the end of the scope it also writes the
 * outcome, and after the last outcome it ends the run.
 */

import type { Connection } from '#shared/connections/connection.rules.ts';
import * as connections from '#shared/connections/connection.store.ts';
import type { TaskMessage } from '#shared/messaging/queues.ts';
import type { WorkerContext } from '#shared/messaging/worker.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { ServiceBusy, withPatience, withReserve } from '#shared/platform/patience.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import type { SourceAdapter } from '#shared/sources/source.ts';
import { beginScope, endScope } from '#shared/sync/end/finish-run.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { loginGate } from '#shared/sync/login/login-gate.ts';
import { reportSharedLogin } from '#shared/sync/login/login-shared.ts';
import { type OpenedCredentials, openCredentials } from '#shared/sync/login/open-credentials.ts';
import { makeIo } from '#shared/sync/login/source-io.ts';
import { logOut, permanentFailure } from '#shared/sync/login/source-login.ts';
import { LoginFailed } from '#shared/sync/login/source-session.ts';
import { passOn, passSlotOn, takeOrWait } from '#shared/sync/login/wake-waiters.ts';
import { planScope, synchronize } from '#shared/sync/reading/sync-periods.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { enqueueTask } from '#shared/sync/task/enqueue-task.ts';
import { type Heartbeat, OutOfTime, OutOfTurn, startHeartbeat } from '#shared/sync/task/heartbeat.ts';
import { readPace } from '#shared/sync/task/pace.ts';
import { readEpoch, type SyncTask } from '#shared/sync/task/task.rules.ts';
import * as tasks from '#shared/sync/task/task.store.ts';
import { timedOut } from '#shared/sync/task/task-time.ts';
import { checkUnexpired, type Lease, LeaseLost, type SourceAccount, untilMarginMs } from '#shared/table/lease.ts';
import { applyResolution, type ClaimedTask } from './apply-resolution.ts';
import { note } from './progress.ts';
import { isDone, isTerminal, type RunFailure, type SyncRun } from './run.rules.ts';
import { keepsSession, type Resolution, resolveFailure } from './task-failure.ts';

export type WorkMessage = Extract<TaskMessage, { kind: 'work' }>;

interface Attempt extends ClaimedTask {
  source: SourceAdapter;
  connection: Connection;
  run: SyncRun;
  opened: OpenedCredentials;
}

export const runTask = async (
  message: WorkMessage,
  context: WorkerContext & { isShared?: boolean },
  source: SourceAdapter,
  scope: ScopeDefinition,
): Promise<void> => {
  const { organizationId, connectionId, runId } = message;
  const [task, run, connection] = await Promise.all([
    tasks.find(organizationId, connectionId, runId, scope.name),
    runs.find(organizationId, connectionId, runId),
    connections.find(organizationId, connectionId),
  ]);
  if (!task) return;
  if (task.state === 'ended' || !run || isTerminal(run) || isDone(run.outcomes[scope.name]) || !connection) {
    // The run was cancelled after the message was sent, so the lease and slot go to other tasks.
    if (task.generation <= message.generation + 1)
      await passOn(task, connection && (await loginOrNull(connection, source)));
    return;
  }
  if (task.generation !== message.generation) return;
  // SQS delays a message by at most 15 minutes. A message that arrives early is sent again.
  if (task.stateChangedAtMs > nowMs()) return enqueueTask(task, task.stateChangedAtMs - nowMs());
  // Credentials that cannot be decrypted end the scope like any other fault: under its lease, after its last attempt.
  const opened = await openCredentials(connection, source).catch((error: unknown) => ({ fault: error }));
  const login = 'fault' in opened ? null : opened.login;

  const planned = planScope(task, { scope, connection, run, source });
  const plan = await reportSharedLogin(task, planned, { connection, run, opened });
  const begun = await takeOrWait(task, login, { ...plan, isShared: context.isShared === true });
  if (!begun) return;
  if (login === null) await passSlotOn(task, null);
  const { lease, task: taken } = begun;
  const attempt: ClaimedTask = { scope, lease, task: taken, isResumed: resumes(task, taken) };
  const over = isOver(taken) ?? ('fault' in opened ? null : permanentFailure(run, opened.version));
  if (over) return endScope(taken, lease, scope, over);
  if ('fault' in opened) return applyResolution(attempt, resolveFailure(taken, opened.fault));
  await runAttempt({ ...attempt, source, connection, run, opened }, context);
};

/** True if an earlier attempt may have stored answers of the current reading. */
const resumes = (found: SyncTask, taken: SyncTask): boolean =>
  found.attempts > 0 && readEpoch(found) === readEpoch(taken);

const loginOrNull = async (connection: Connection, source: SourceAdapter): Promise<SourceAccount | null> =>
  openCredentials(connection, source).then(
    ({ login }) => login,
    () => null,
  );

/** Returns the reason to end the scope before anything is requested, or null. */
const isOver = (task: SyncTask): RunFailure | null => {
  if (task.attempts > SYNC_LIMITS.scopeAttemptsMax)
    return {
      code: task.lastErrorCode ?? 'sync.internal_error',
      message: task.lastErrorMessage ?? 'The scope was interrupted in each of its attempts.',
    };
  return timedOut(task);
};

const runAttempt = async (attempt: Attempt, context: WorkerContext): Promise<void> => {
  const { source, scope, connection, run, opened, lease } = attempt;
  const heartbeat = waitUntilMargin(lease, () => startHeartbeat(lease, attempt.task, context.remainingMs()));
  lease.signal = heartbeat.signal;
  const login = loginGate({ task: attempt.task, run, opened, lease });
  const io = makeIo(source.manifest, {
    signal: heartbeat.signal,
    credentials: opened.credentials,
    turns: lease.slot!.turns,
    login,
    checkSlot: () => checkUnexpired(lease),
    handOver: heartbeat.handOver,
  });
  let resolution: Resolution = { kind: 'end', failure: null };
  let isResting = false;
  let { isResumed } = attempt;
  try {
    await waitUntilMargin(lease, async () => {
      await renewIfLate(lease, heartbeat);
      await beginScope(attempt.task);
      await synchronize({
        source,
        scope,
        connection,
        run,
        opened,
        lease,
        io,
        signal: heartbeat.signal,
        leaveShared: heartbeat.leaveShared,
        consumeResume: () => {
          const was = isResumed;
          isResumed = false;
          return was;
        },
        task: () => attempt.task,
        move: async (changes) => {
          // This move does not change the due entry; the heartbeat moves the due entry.
          attempt.task = await tasks.move(attempt.task, changes);
        },
      });
    });
  } catch (error) {
    const { aborted, reason } = heartbeat.signal;
    const cause = error instanceof LoginFailed ? error.cause : error;
    const fault = aborted ? reason : cause;
    resolution = resolveFailure(attempt.task, fault);
    isResting =
      fault instanceof ServiceBusy || (!aborted && !(error instanceof LoginFailed) && keepsSession(resolution));
  }
  try {
    // The session stays for a handover, which continues at once, and for a short pause. In all other cases the next
    // attempt may start much later.
    if (!isResting && !outlivesHandover(source, heartbeat.signal.reason)) await leaveSession(attempt, resolution);
    if (resolution.kind === 'rest') await reportRest(attempt, resolution.untilMs);
    await applyResolution(attempt, resolution);
  } catch (error) {
    if (!(error instanceof LeaseLost || error instanceof tasks.TaskConflict)) throw error;
  } finally {
    heartbeat.stop();
  }
};

/**
 * Runs `work` with the patience of a holder: calls wait for a busy service of AWS until the margin of the lease, or until
 * the invocation must hand over. The task is then handed over with the patience of the message.
 */
const waitUntilMargin = <T>(lease: Lease, work: () => T): T =>
  withReserve(SYNC_LIMITS.invocationMarginMs, () => withPatience(() => untilMarginMs(lease), work));

/** Renews a lease that was stored more than 15 s late, because no row may be written in its margin. */
const renewIfLate = async (lease: Lease, { renewNow }: Heartbeat): Promise<void> => {
  if (untilMarginMs(lease) < 2 * SYNC_LIMITS.leaseRenewMs) await renewNow();
};

/** Reports the pause in the run's progress. A failure to report is ignored. */
const reportRest = async ({ run, source }: Attempt, untilMs: number): Promise<void> => {
  const { callsMax, windowMs } = readPace(source.manifest);
  const pace = `${callsMax.toLocaleString('en-US')} calls in ${Math.round(windowMs / 60_000)} minutes`;
  const message = `Continues at ${new Date(untilMs).toISOString()}: ${source.manifest.name} gets at most ${pace}.`;
  await note(run, 'downloading', message).catch(() => undefined);
};

/** True if the session is still valid when the task continues after the handover. */
const outlivesHandover = ({ manifest }: SourceAdapter, reason: unknown): boolean => {
  if (reason instanceof OutOfTurn) return reason.untilMs - nowMs() < manifest.sessionIdleMs;
  return reason instanceof OutOfTime;
};

/**
 * The scopes of a run share a session, and the last scope that makes requests logs out. A session that stays open has a
 * due entry.
 */
const leaveSession = async (attempt: Attempt, { kind }: Resolution): Promise<void> => {
  const { lease, run, scope, source } = attempt;
  if (lease.slot === null) return;
  const now = await runs.find(run.organizationId, run.connectionId, run.id);
  const others = now?.scopes.some((other) => other !== scope.name && !isDone(now.outcomes[other])) ?? false;
  const willUseIt = others && !isTerminal(now!) && permanentFailure(now!, attempt.opened.version) === null;
  if (willUseIt && kind !== 'rest') return;
  try {
    const { turns } = lease.slot;
    const { credentials } = attempt.opened;
    const io = makeIo(source.manifest, {
      // The attempt's signal is not used, because it may be aborted and the session at the institution must be ended
      // anyway.
      signal: AbortSignal.timeout(SYNC_LIMITS.logoutMs),
      credentials,
      turns,
      // If another worker holds the slot by now, that worker uses the session.
      checkSlot: () => checkUnexpired(lease),
    });
    await logOut(lease.organizationId, lease.slot, source, io);
  } catch (error) {
    log.warn('a session could not be logged out now; its due entry stays', describeError(error));
  }
};
