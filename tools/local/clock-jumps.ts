/** Moving the clock on purpose: at once, or from due time to due time with the work done in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualClock } from './clock.ts';
import type { QueueState } from './queues.ts';

/** Real time given to the work at one due time. */
const IDLE_WAIT_MS_MAX = 60_000;
const POLL_MS = 10;
/**
 * A message that the queue has handed over is on its way to the poller for a turn or two of both event loops, seen by
 * neither as work: idle counts when it was seen so often in a row.
 */
const IDLE_SAMPLES = 3;

interface JumpDependencies {
  clock: VirtualClock;
  /** Invocations, batches and firings in hand. */
  busy(): number;
  /** States of the queues that somebody consumes. */
  queueStates(): Promise<QueueState[]>;
  /** When the next schedule fires. */
  scheduleDueMs(): number | undefined;
}

/** The stack did not come to rest in time. */
export class NotIdle extends Error {
  constructor() {
    super(`the stack was still busy after ${IDLE_WAIT_MS_MAX / 1000} s`);
    this.name = 'NotIdle';
  }
}

export interface Jumps {
  /** Waits until nothing is in hand and nothing is due now. Throws `NotIdle`. */
  settle(): Promise<void>;
  /** Settles, then moves to the next due time and settles again. Resolves with the milliseconds moved. */
  jump(): Promise<number>;
  /** Moves so far ahead, stopping to work at every due time on the way. */
  walk(ms: number): Promise<number>;
}

export const createJumps = ({ clock, busy, queueStates, scheduleDueMs }: JumpDependencies): Jumps => {
  const isIdle = async (): Promise<boolean> => {
    if (busy() > 0) return false;
    const states = await queueStates();
    const nowMs = clock.nowMs();
    return (
      busy() === 0 &&
      states.every(({ ready, nextDueMs = Number.POSITIVE_INFINITY }) => ready === 0 && nextDueMs > nowMs) &&
      (scheduleDueMs() ?? Number.POSITIVE_INFINITY) > nowMs
    );
  };

  const settle = async (): Promise<void> => {
    const deadline = Date.now() + IDLE_WAIT_MS_MAX;
    for (let idle = 0; idle < IDLE_SAMPLES; await sleep(POLL_MS)) {
      idle = (await isIdle()) ? idle + 1 : 0;
      if (Date.now() > deadline) throw new NotIdle();
    }
  };

  const nextDueMs = async (): Promise<number | undefined> => {
    const queues = (await queueStates()).flatMap(({ nextDueMs: due }) => (due === undefined ? [] : [due]));
    const all = [...queues, scheduleDueMs() ?? Number.POSITIVE_INFINITY];
    const least = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return Number.isFinite(least) ? least : undefined;
  };

  /** From rest to the next due time, but not beyond `limitMs`, and to rest again; stays when nothing is due ever. */
  const step = async (limitMs: number): Promise<number> => {
    const due = await nextDueMs();
    const target = Math.min(limitMs, due ?? limitMs);
    if (!Number.isFinite(target)) return 0;
    const moved = Math.max(0, Math.ceil(target - clock.nowMs()));
    clock.advance(moved);
    await settle();
    return moved;
  };

  return {
    settle,
    async jump() {
      await settle();
      return step(Number.POSITIVE_INFINITY);
    },
    async walk(ms) {
      await settle();
      const from = clock.offsetMs();
      const untilMs = clock.nowMs() + ms;
      while (clock.nowMs() < untilMs) await step(untilMs);
      return clock.offsetMs() - from;
    },
  };
};
