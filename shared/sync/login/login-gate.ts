/**
 * All login requests pass through this gate. A request is counted in the run and for the login before it is sent, and
 * its verdict is stored afterwards. So the institution never sees enough wrong passwords to lock the account
 * (decisions.md §5, "Logins").
 */

import { nowMs } from '#shared/platform/clock.ts';
import { requireManifest } from '#shared/sources/find-manifest.ts';
import { LoginPostponed, LoginRefused, SourceError, type SourceIo } from '#shared/sources/source.ts';
import { LOGIN_LIMITS } from '#shared/sync/limits.ts';
import { note } from '#shared/sync/progress.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { isTerminal, type SyncRun } from '#shared/sync/run.rules.ts';
import type { SyncTask } from '#shared/sync/task/task.rules.ts';
import type { Lease, SourceAccount } from '#shared/table/lease.ts';
import { AppError } from '#shared/values/app-error.ts';
import { type SourceErrorCode, SYNC_ERRORS } from '#shared/values/sync-errors.ts';
import {
  countLogin,
  type Ledgers,
  type LoginAttempt,
  type LoginFault,
  type LoginLimits,
  type LoginVerdict,
  nextLogin,
  settleLogin,
  type Withheld,
  withheldLogin,
} from './login.rules.ts';
import * as logins from './login.store.ts';
import { classifyLoginFault } from './login-fault.rules.ts';
import type { OpenedCredentials } from './open-credentials.ts';
import { wakeForVerdict } from './wake-waiters.ts';

/** Another worker is logging in now. This task waits for the verdict of that login. */
export class LoginInFlight extends AppError {
  /** Key of the login. */
  readonly login: string;
  constructor(login: SourceAccount) {
    super();
    this.login = login.key;
  }
}

export interface LoginAsker {
  task: SyncTask;
  run: SyncRun;
  opened: OpenedCredentials;
  lease: Lease;
  /** Why the scope needs another login; absent for the first login of an attempt. */
  reason?: LoginFault;
}

/**
 * Returns the error of a login fault. A login fault has a source error code, except after a worker died: then the code
 * is `sync.internal_error`.
 */
const errorOf = (
  kind: typeof LoginRefused | typeof LoginPostponed,
  { code, message }: LoginFault,
  options: ConstructorParameters<typeof SourceError>[2] = {},
): SourceError => new kind(code as SourceErrorCode, message, options);

/** Reports the pause, which may last minutes, in the run's progress. A failure to report is ignored. */
const tellPause = async (run: SyncRun, untilMs: number, { message }: LoginFault): Promise<void> => {
  const next = `Next login attempt at ${new Date(untilMs).toISOString()}. Last: ${message}`;
  await note(run, 'connecting', next).catch(() => undefined);
};

const limitsOf = ({ source }: SourceAccount): LoginLimits => ({
  ...LOGIN_LIMITS,
  cannotLock: requireManifest(source).cannotLock,
});

const refuse = async (withheld: Withheld, run: SyncRun, login: SourceAccount): Promise<never> => {
  if (withheld.kind === 'under_way') throw new LoginInFlight(login);
  if (withheld.kind === 'refused') throw errorOf(LoginRefused, withheld.fault);
  await tellPause(run, withheld.untilMs, withheld.fault);
  throw errorOf(LoginPostponed, withheld.fault, { retryAfterMs: withheld.untilMs - nowMs() });
};

/** The reason for a login of a later attempt is the fault of the attempt before. */
const reasonOf = ({ task, reason }: LoginAsker): LoginFault | null => {
  if (reason !== undefined || task.attempts < 2) return reason ?? null;
  // The worker of the attempt before died if it stored no fault.
  const message = task.lastErrorMessage ?? 'The scope was interrupted in its last attempt.';
  return { code: task.lastErrorCode ?? 'sync.internal_error', message };
};

const attemptOf = (asker: LoginAsker, fingerprint: string, isRenewal: boolean): LoginAttempt => ({
  fingerprint,
  credentialsVersion: asker.opened.version,
  trigger: asker.run.trigger,
  slot: asker.lease.slot?.n ?? 0,
  atMs: nowMs(),
  isRenewal,
  reason: reasonOf(asker),
});

/** Counts the request before it is made. Throws if no request may be made now. */
const count = async (asker: LoginAsker, isRenewal: boolean): Promise<LoginAttempt> => {
  const { organizationId, connectionId, runId } = asker.task;
  const { login } = asker.opened;
  const fingerprint = await asker.opened.fingerprint();
  const limits = limitsOf(login);
  const counted = await runs.advance(organizationId, connectionId, runId, async (run) => {
    if (isTerminal(run)) throw new LoginInFlight(login);
    const attempt = attemptOf(asker, fingerprint, isRenewal);
    const before = await logins.find(organizationId, login);
    const withheld = withheldLogin(before, run.login, attempt, limits);
    if (withheld) return refuse(withheld, run, login);
    const { history, record } = countLogin(before, run.login, attempt, limits);
    const change = runs.runChange(run, { login: record }, null);
    return { items: [change, logins.change(organizationId, login, history)], value: attempt };
  });
  return counted?.value ?? attemptOf(asker, fingerprint, isRenewal);
};

/** Stores the verdict. If the run has already ended, only the history of the login is updated. */
const settle = async (
  asker: LoginAsker,
  attempt: LoginAttempt,
  verdict: LoginVerdict,
): Promise<Ledgers | undefined> => {
  const { organizationId, connectionId, runId } = asker.task;
  const { login } = asker.opened;
  const settled = await runs.advance(organizationId, connectionId, runId, async (run) => {
    if (!run.login) return { items: [], value: undefined };
    const before = { history: await logins.find(organizationId, login), record: run.login };
    const value = settleLogin(before, attempt, { verdict, atMs: nowMs() }, limitsOf(login));
    const items = [logins.change(organizationId, login, value.history)];
    if (!isTerminal(run)) items.unshift(runs.runChange(run, { login: value.record }, null));
    return { items, value };
  });
  await wakeForVerdict(organizationId, login);
  return settled?.value;
};

/**
 * Returns the `SourceIo.login` function for the worker of one scope.
 *
 * @param onAccepted stores the verdict of an accepted request, at once or after its session is stored
 */
export const loginGate =
  (asker: LoginAsker, onAccepted = (settled: () => Promise<unknown>) => settled()): SourceIo['login'] =>
  async (request, { isRenewal = false } = {}) => {
    const attempt = await count(asker, isRenewal);
    const answer = await request().catch((error) => failed(asker, attempt, error));
    await onAccepted(() => settle(asker, attempt, { kind: 'accepted' }));
    return answer;
  };

const failed = async (asker: LoginAsker, attempt: LoginAttempt, error: unknown): Promise<never> => {
  // An error that is not the institution's gives no verdict, so the request stays counted.
  if (!(error instanceof SourceError)) throw error;
  const settled = await settle(asker, attempt, classifyLoginFault(error));
  const next = settled && nextLogin(settled, attempt.fingerprint, nowMs(), limitsOf(asker.opened.login));
  const { code, message, unread } = error;
  const options = { cause: error, ...(unread && { unread }) };
  if (next?.kind === 'refused') throw errorOf(LoginRefused, next.fault, options);
  if (next?.kind !== 'postponed') throw error;
  if (SYNC_ERRORS[code].retried) await tellPause(asker.run, next.untilMs, next.fault);
  throw new SourceError(code, message, { ...options, retryAfterMs: next.untilMs - nowMs() });
};
