/**
 * Moves the clock, either to the end at once, or from due time to due time and with all due work done at each due time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VirtualClock } from './clock.ts';
import type { QueueState } from './queues.ts';

/** Longest real time to wait until the work that is due at one virtual time is done. */
const IDLE_WAIT_MS_MAX = 60_000;
const POLL_MS = 10;
/**
 * The stack is idle only after this many idle samples in a row. While a message moves from a queue to a poller, neither
 * of the two counts it for one or two turns of the event loop.
 */
const IDLE_SAMPLES = 3;

interface JumpDependencies {
  clock: VirtualClock;
  /** Numbers of what is in progress, by name. */
  busy(): Readonly<Record<string, number>>;
  /** States of the queues that have a consumer, by name. */
  queueStates(): Promise<Readonly<Record<string, QueueState>>>;
  /** Time at which the next schedule fires. */
  scheduleDueMs(): number | undefined;
}

/** Thrown when the clock cannot be moved, because the stack does not become idle in time. */
export class NotIdle extends Error {
  override name = 'NotIdle';
}

export interface Jumps {
  /** Waits until nothing is in progress and nothing is due. Throws `NotIdle`. */
  settle(): Promise<void>;
  /** Waits until the stack is idle, moves to the next due time and waits again. Resolves with the distance in ms. */
  jump(): Promise<number>;
  /**
   * Moves ahead by `ms`, stops at every due time on the way, and waits at each until the due work is done. Resolves
   * with the distance in ms.
   */
  walk(ms: number): Promise<number>;
}

export const createJumps = ({ clock, busy, queueStates, scheduleDueMs }: JumpDependencies): Jumps => {
  const inProgress = (): string[] =>
    Object.entries(busy()).flatMap(([name, number]) => (number > 0 ? [`${number} ${name}`] : []));

  /** Names what is in progress or due; empty if the stack is idle. */
  const findWork = async (): Promise<string[]> => {
    const before = inProgress();
    if (before.length > 0) return before;
    const states = Object.entries(await queueStates());
    const nowMs = clock.nowMs();
    return [
      ...inProgress(),
      ...states.flatMap(([name, { ready, nextDueMs = Number.POSITIVE_INFINITY }]) =>
        ready > 0 || nextDueMs <= nowMs ? [`messages in ${name}`] : [],
      ),
      ...((scheduleDueMs() ?? Number.POSITIVE_INFINITY) > nowMs ? [] : ['a schedule']),
    ];
  };

  const settle = async (): Promise<void> => {
    const deadline = Date.now() + IDLE_WAIT_MS_MAX;
    let latest: string[] = [];
    for (let idle = 0; idle < IDLE_SAMPLES; await sleep(POLL_MS)) {
      const work = await findWork();
      idle = work.length === 0 ? idle + 1 : 0;
      if (work.length > 0) latest = work;
      if (idle < IDLE_SAMPLES && Date.now() > deadline)
        throw new NotIdle(`the stack was still busy after ${IDLE_WAIT_MS_MAX / 1000} s: ${latest.join(', ')}`);
    }
  };

  const nextDueMs = async (): Promise<number | undefined> => {
    const queues = Object.values(await queueStates()).flatMap(({ nextDueMs: due }) => (due === undefined ? [] : [due]));
    const all = [...queues, scheduleDueMs() ?? Number.POSITIVE_INFINITY];
    const least = all.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY);
    return Number.isFinite(least) ? least : undefined;
  };

  /**
   * Moves an idle stack to the next due time, but not beyond `limitMs`, and waits until the stack is idle again. Does
   * not move when no work will ever be due.
   */
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
