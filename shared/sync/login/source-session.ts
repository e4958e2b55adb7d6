/** The session of one try: opened at first use, renewed once when the institution ends it. */

import { nowMs } from '#shared/platform/clock.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { type JsonObject, SessionExpired, SourceError } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { keepSession, logIn, openSession, postponeLogout, type SessionContext } from './source-login.ts';

/** A login within the sync failed: a fault of the scope, never of the unit of work that happened to be under way. */
export class LoginFailed extends AppError {
  constructor(cause: unknown) {
    super('login failed', { cause });
  }
}

/** The institution ended session after session: none is worth keeping. */
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
  /** As last kept. */
  private kept = '';
  private readonly context: () => SessionContext;

  constructor(context: () => SessionContext) {
    this.context = context;
  }

  /** Does the work, and once more with another session when the institution ended this one. */
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
   * An adapter may change its session (a rotated cookie): whoever resumes it needs it as it is now. One that is the same is
   * only looked at later, for it is in use.
   */
  async keepNowAndThen(): Promise<void> {
    const sinceMs = nowMs() - this.keptAtMs;
    if (this.session === undefined || sinceMs < SYNC_LIMITS.leaseRenewMs) return;
    this.keptAtMs = nowMs();
    if (JSON.stringify(this.session) === this.kept) await postponeLogout(this.context());
    else await this.keepAsItIs();
  }

  /**
   * At the end of a try: the next scope goes on with it, and whoever logs it out needs what it is now. An institution
   * may refuse a logout with a token that it has replaced since (banks.md §3.1).
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
   * What looks like the end of a session may be a page in its place: it must not go on holding a place there. Logout and
   * login may be handed over, and whoever goes on then must not take this session up again.
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
