/** The engine's part for an adapter, in memory: stored answers, and a clock that moves only when the adapter waits. */
import { createRedactor } from '#shared/sources/http/redactor.ts';
import type { AskSource, Json, JsonObject, RawAnswer, SourceIo, SourceSettings } from '#shared/sources/source.ts';
import { LoginTurns } from '#shared/values/login-turns.ts';

/** 20 November 2026, noon in Santiago: the "now" of every test of a source. */
export const NOW_MS = Date.parse('2026-11-20T15:00:00Z');

const NO_PACE = { callDelayMs: 0, callsMax: 0, windowMs: 0 };

export interface KeptAsk {
  ask: AskSource;
  kept: Map<string, RawAnswer>;
  /** Keys that were really fetched, in order. */
  fetched: string[];
}

/** Pass a `kept` map to resume after a "crash". */
export const createAsk = (kept: Map<string, RawAnswer> = new Map()): KeptAsk => {
  const fetched: string[] = [];
  const ask: AskSource = async (key, fetch) => {
    const known = kept.get(key);
    if (known) return known;
    fetched.push(key);
    const { request, contentType, body } = await fetch();
    // Only bytes and JSON, as read back from a bucket.
    const answer: RawAnswer = { key, request: structuredClone(request) as JsonObject, contentType, body: body.slice() };
    kept.set(key, answer);
    return answer;
  };
  return { ask, kept, fetched };
};

export interface TestClock {
  nowMs: number;
  /** Every requested wait, in ms. */
  waits: number[];
}

export const createClock = (nowMs = NOW_MS): TestClock => ({ nowMs, waits: [] });

export const createIo = (
  baseUrl: string | undefined,
  clock: TestClock = createClock(),
  settings: Partial<SourceSettings> = {},
  signal: AbortSignal = new AbortController().signal,
): SourceIo => {
  const turns = new LoginTurns(settings.pace ?? NO_PACE);
  return {
    redactor: createRedactor(),
    settings: {
      baseUrl,
      pace: NO_PACE,
      callTimeoutMs: 10_000,
      downloadTimeoutMs: 20_000,
      ...settings,
    },
    now: () => clock.nowMs,
    wait: async (ms) => {
      signal.throwIfAborted();
      clock.waits.push(ms);
      clock.nowMs += ms;
    },
    turn: async (wire) => {
      const turnMs = turns.next(wire, clock.nowMs);
      if (turnMs > clock.nowMs) clock.waits.push(turnMs - clock.nowMs);
      clock.nowMs = turnMs;
      turns.count(wire, turnMs);
    },
    signal,
    login: (request) => request(),
  };
};

export const answerOf = (key: string, request: { [key: string]: Json }, body: string | Uint8Array): RawAnswer => ({
  key,
  request,
  contentType: null,
  body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
});
