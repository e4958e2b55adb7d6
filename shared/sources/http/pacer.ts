/**
 * Serial, paced calls: institutions block a login by its usage pattern (tax.md §3.5). `calls` are the times of past
 * calls, kept inside the session, so that a worker that resumes it goes on counting.
 */
import type { Pace, SourceIo } from '../source.ts';

export interface Pacer {
  /** Waits for this call's turn and counts it. */
  turn(): Promise<void>;
}

export const createPacer = (pace: Pace, io: Pick<SourceIo, 'now' | 'wait'>, calls: number[]): Pacer => {
  const hasWindow = pace.windowMs > 0 && pace.callsMax > 0 && Number.isFinite(pace.callsMax);
  return {
    turn: async () => {
      if (pace.callDelayMs <= 0 && !hasWindow) return;
      const nowMs = io.now();
      const last = calls.at(-1);
      const afterLast = last === undefined ? nowMs : last + pace.callDelayMs;
      const oldest = hasWindow ? calls.at(-pace.callsMax) : undefined;
      const afterWindow = oldest === undefined ? nowMs : oldest + pace.windowMs;
      const turnMs = Math.max(nowMs, afterLast, afterWindow);
      if (turnMs > nowMs) await io.wait(turnMs - nowMs);
      calls.push(turnMs);
      const kept = hasWindow ? pace.callsMax : 1;
      if (calls.length > kept) calls.splice(0, calls.length - kept);
    },
  };
};
