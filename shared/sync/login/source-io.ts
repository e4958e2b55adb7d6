/**
 * Builds the functions and settings that the engine gives to an adapter, from the environment of the need `sources`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { nowMs } from '#shared/platform/clock.ts';
import { envOptional } from '#shared/platform/env.ts';
import { sourceBaseUrlVariable } from '#shared/platform/needs.ts';
import { createRedactor } from '#shared/sources/http/redactor.ts';
import type { JsonObject, SourceIo, SourceManifest } from '#shared/sources/source.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import { readPace } from '#shared/sync/task/pace.ts';
import { hiddenCredentials } from '#shared/values/credential-fields.ts';
import type { LoginTurns } from '#shared/values/login-turns.ts';

/** Login function for a logout. It throws, because a logout must not log in again. */
const noLogin: SourceIo['login'] = async () => {
  throw new Error('a logout must not log in');
};

/** Limits and credentials of one visit to the institution. */
export interface SourceVisit {
  signal: AbortSignal;
  credentials: JsonObject;
  /** Calls that the login has made, including the calls of this visit. */
  turns: LoginTurns;
  /** Absent for a logout. A logout uses the calls that every window reserves for logouts. */
  login?: SourceIo['login'];
  /** Called before each call; throws if another worker holds the slot. */
  checkSlot?: () => void;
  /** Aborts the signal to end the invocation. The next call of the login is allowed at `untilMs`. */
  handOver?: (untilMs: number) => void;
}

export interface EngineIo extends SourceIo {
  /** Runs a step that cannot be handed over halfway, such as a login. Its waits happen inside the invocation. */
  sitOut<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Called before a login. If the login's calls fit into a window only after a long wait, the task is handed over. */
  nearTurn(): Promise<void>;
}

export const makeIo = (manifest: SourceManifest, visit: SourceVisit): EngineIo => {
  const { signal, credentials, turns, login } = visit;
  let sittingOut = 0;
  const sitOut: EngineIo['sitOut'] = async (task) => {
    sittingOut++;
    try {
      return await task();
    } finally {
      sittingOut--;
    }
  };
  const wait: SourceIo['wait'] = async (ms) => {
    await sleep(ms, undefined, { signal });
  };
  /**
   * Waits inside the invocation. If the wait is long and the current step may be interrupted, first asks to end the
   * invocation.
   */
  const waitFor = async (turnMs: number): Promise<void> => {
    const waitMs = turnMs - nowMs();
    if (waitMs > SYNC_LIMITS.paceWaitMsMax && sittingOut === 0) visit.handOver?.(turnMs);
    if (waitMs > 0) await wait(waitMs);
  };
  const nearTurn = async (): Promise<void> => {
    const turnMs = turns.nextOnEach(nowMs(), { isLogin: true });
    if (turnMs - nowMs() > SYNC_LIMITS.paceWaitMsMax) await waitFor(turnMs);
  };
  return {
    redactor: createRedactor({
      credentials: hiddenCredentials(manifest.credentialsSchema, credentials, manifest.wireNames),
      sessionCookies: manifest.sessionCookies,
    }),
    settings: {
      baseUrl: envOptional(sourceBaseUrlVariable(manifest.code)),
      pace: readPace(manifest),
      callTimeoutMs: manifest.callTimeoutMs,
      downloadTimeoutMs: manifest.downloadTimeoutMs,
    },
    now: nowMs,
    wait,
    turn: async (wire) => {
      const turnMs = turns.next(wire, nowMs(), { isLast: login === undefined });
      await waitFor(turnMs);
      visit.checkSlot?.();
      turns.count(wire, Math.max(turnMs, nowMs()));
    },
    nearTurn,
    signal,
    sitOut,
    login: async (request, options) => {
      // A login cannot be handed over once it has begun, so the check comes first.
      if (sittingOut === 0) await nearTurn();
      return sitOut(() => (login ?? noLogin)(request, options));
    },
  };
};
