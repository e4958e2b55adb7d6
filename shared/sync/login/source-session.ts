/** The session of one attempt. It is opened at first use, and renewed once if the institution ends it. */

import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { type JsonObject, SessionExpired, SourceError } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { concernsLogin } from './login-fault.rules.ts';
import { keepSession, logIn, noteFault, openSession, postponeLogout, type SessionContext } from './source-login.ts';

/** A login during the sync failed. This is a fault of the scope, not of the unit that was being read. */
export class LoginFailed extends AppError {
  constructor(cause: unknown) {
    super('login failed', { cause });
  }
}

/** The institution ended two sessions in a row: the scopes of the run end, and no later attempt logs in. */
export class SessionLost extends SourceError {}

const loginFailed = (cause: unknown): never => {
  throw new LoginFailed(cause);
};

export class SessionHolder {
  private session: JsonObject | undefined;
  private renewed = false;
  private keptAtMs = 0;
  /** The session as last stored, as JSON. */
  private kept = '';
  private readonly context: () => SessionContext;

  constructor(context: () => SessionContext) {
    this.context = context;
  }

  /** Runs the task. If the institution ended the session, runs the task once more with a new session. */
  async use<Result>(task: (session: JsonObject) => Promise<Result>): Promise<Result> {
    try {
      return await this.attempt(task);
    } catch (error) {
      if (!(error instanceof SessionExpired)) throw error;
      await this.renew(error);
    }
    return this.attempt(task).catch(async (again: unknown) => {
      throw again instanceof SessionExpired ? await this.lose(again) : again;
    });
  }

  /** Runs the task once. A fault of the login itself is noted, so that no other scope of the run meets it. */
  private async attempt<Result>(task: (session: JsonObject) => Promise<Result>): Promise<Result> {
    const session = await this.get();
    try {
      return await task(session);
    } catch (error) {
      if (error instanceof SourceError && concernsLogin(error.code)) await noteFault(this.context(), error);
      throw error;
    }
  }

  /** Ends the login for all scopes of the run. The session is stored as over, so that it is only logged out. */
  private async lose({ code, message }: SessionExpired): Promise<SessionLost> {
    const lost = new SessionLost(code, message);
    if (this.session !== undefined) await keepSession(this.context(), this.session, true);
    await noteFault(this.context(), lost, { isOver: true });
    return lost;
  }

  private async get(): Promise<JsonObject> {
    if (this.session === undefined) this.hold(await openSession(this.context()).catch(loginFailed));
    return this.session!;
  }

  private hold(session: JsonObject): void {
    this.session = session;
    this.keptAtMs = nowMs();
    this.kept = JSON.stringify(session);
  }

  /**
   * Stores the session if it changed (for example a rotated cookie), because a worker that resumes needs the current
   * session. If the session is unchanged, only its due entry is moved, because the session is in use.
   */
  async keepNowAndThen(): Promise<void> {
    const sinceMs = nowMs() - this.keptAtMs;
    if (this.session === undefined || sinceMs < SYNC_LIMITS.leaseRenewMs) return;
    this.keptAtMs = nowMs();
    if (JSON.stringify(this.session) === this.kept) await postponeLogout(this.context());
    else await this.keepAsItIs();
  }

  /**
   * Stores the session at the end of an attempt, for the next scope or for the logout. An institution may refuse a
   * logout with an outdated token (banks.md §3.1).
   */
  async keepAsItIs(): Promise<void> {
    const now = this.session && JSON.stringify(this.session);
    if (this.session === undefined || now === undefined || now === this.kept) return;
    this.kept = now;
    await keepSession(this.context(), this.session);
  }

  private async renew(ended: SessionExpired): Promise<void> {
    if (this.renewed) throw await this.lose(ended);
    this.renewed = true;
    const session = this.session;
    this.session = undefined;
    if (session !== undefined) await this.leave(session);
    const reason = { code: ended.code, message: ended.message };
    this.hold(await logIn({ ...this.context(), reason }).catch(loginFailed));
  }

  /**
   * Logs out a session that seems to have ended, because the institution may still count it as open. The session is
   * first stored as over, so that no other worker uses it after a handover.
   */
  private async leave(ended: JsonObject): Promise<void> {
    const { source, io } = this.context();
    await keepSession(this.context(), ended, true);
    try {
      await source.disconnect(ended, io);
    } catch (error) {
      log.warn('a session that seemed ended could not be logged out', describeError(error));
    }
    io.signal.throwIfAborted();
  }
}
