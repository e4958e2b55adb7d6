/** The session of one attempt. It is opened at first use, and renewed once if the institution ends it. */

import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { type JsonObject, SessionExpired, SourceError } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { keepSession, logIn, openSession, postponeLogout, type SessionContext } from './source-login.ts';

/** A login during the sync failed. This is a fault of the scope, not of the unit that was being read. */
export class LoginFailed extends AppError {
  constructor(cause: unknown) {
    super('login failed', { cause });
  }
}

/** The institution ended two sessions in a row, so another login is useless. */
export class SessionLost extends SourceError {
  constructor(detail: string) {
    super('source.unavailable', detail);
  }
}

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
      return await task(await this.get());
    } catch (error) {
      if (!(error instanceof SessionExpired)) throw error;
    }
    await this.renew();
    return task(await this.get()).catch((again: unknown) => {
      throw again instanceof SessionExpired ? new SessionLost(again.message) : again;
    });
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

  private async renew(): Promise<void> {
    if (this.renewed) throw new SessionLost('The institution ended the session again and again.');
    this.renewed = true;
    const ended = this.session;
    this.session = undefined;
    if (ended !== undefined) await this.leave(ended);
    this.hold(await logIn(this.context()).catch(loginFailed));
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
