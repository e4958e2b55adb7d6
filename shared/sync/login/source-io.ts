/** What an adapter gets to work with, from the environment that the need `sources` brought. */
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

/** For work that only leaves an institution. */
const noLogin: SourceIo['login'] = async () => {
  throw new Error('a login outside a scope');
};

/** What one piece of work may do at the institution. */
export interface SourceVisit {
  signal: AbortSignal;
  credentials: JsonObject;
  /** Calls of the login, those of this visit included. */
  turns: LoginTurns;
  /** Absent: the work only leaves, with the calls that every window keeps for that. */
  login?: SourceIo['login'];
  /** Called before each call; throws when the slot is another's. */
  checkSlot?: () => void;
  /** Asks for the end of the invocation, by the signal: the login's next turn is at `untilMs`. */
  handOver?: (untilMs: number) => void;
}

export interface EngineIo extends SourceIo {
  /** Does what cannot be handed over half done, such as a login: its waits are sat out. */
  sitOut<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Before a login: a long wait until its calls fit into a window is handed over. */
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
  /** Waits where that is paid for; asks for the end of the invocation otherwise. */
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
    login: async (request) => {
      // Within a login there is no more choice.
      if (sittingOut === 0) await nearTurn();
      return sitOut(() => (login ?? noLogin)(request));
    },
  };
};
