/**
 * Simulates the workers of one scope as AWS documents their event source mapping: 5 pollers, each of which collects up to
 * 10 messages for up to 5 s and then invokes a worker, at most as many as the maximum concurrency allows. Pure.
 */
import { contract } from '#functions/workers/sync-scope/contract.ts';

/** AWS documents that a mapping of a standard queue begins with this number. */
const POLLERS = 5;
const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

const { batchSize, windowSeconds } = contract.trigger;
const WINDOW_MS = windowSeconds * 1000;

export interface QueuedTask {
  /** Time at which the message can be received, in ms. */
  atMs: number;
  /** Time that the task waits for its institution, in ms. */
  waitMs: number;
}

export interface SharedInvocations {
  /** Time at which each task began, in the order of the tasks. */
  beganMs: number[];
  endedMs: number[];
  invocations: number;
  /** Sum of the durations of all invocations. */
  billedMs: number;
}

interface Poller {
  /** Tasks with their places in the list of all tasks. */
  tasks: [number, QueuedTask][];
  /** Time at which the poller stops collecting; infinite without a message. */
  closesMs: number;
}

const earliest = (times: readonly number[]): number =>
  times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);

/**
 * @param tasks in the order of `atMs`
 * @param pick returns a number below its argument: which of the pollers that can take a message gets it
 */
export const simulateWorkers = (
  tasks: readonly QueuedTask[],
  workers: number,
  pick: (below: number) => number,
): SharedInvocations => {
  const pollers: Poller[] = Array.from({ length: POLLERS }, () => ({ tasks: [], closesMs: Number.POSITIVE_INFINITY }));
  const running: number[] = [];
  const beganMs: number[] = [];
  const endedMs: number[] = [];
  let [next, nowMs, invocations, billedMs] = [0, 0, 0, 0];

  const receive = (): void => {
    for (let task = tasks[next]; task !== undefined && task.atMs <= nowMs; task = tasks[next]) {
      const free = pollers.filter((poller) => poller.tasks.length < batchSize && poller.closesMs > nowMs);
      const poller = free[pick(free.length)];
      if (!poller) return;
      if (poller.tasks.length === 0) poller.closesMs = nowMs + WINDOW_MS;
      poller.tasks.push([next++, task]);
      if (poller.tasks.length === batchSize) poller.closesMs = nowMs;
    }
  };
  const invoke = (): void => {
    for (const poller of pollers) {
      if (poller.closesMs > nowMs || running.length >= workers) continue;
      for (const [n, { waitMs }] of poller.tasks) {
        beganMs[n] = nowMs;
        endedMs[n] = nowMs + waitMs;
      }
      const endMs = nowMs + Math.max(...poller.tasks.map(([, { waitMs }]) => waitMs));
      running.push(endMs);
      invocations++;
      billedMs += endMs - nowMs;
      Object.assign(poller, { tasks: [], closesMs: Number.POSITIVE_INFINITY });
    }
  };

  while (beganMs.length < tasks.length || pollers.some(({ tasks: held }) => held.length > 0)) {
    for (const done of running.filter((endMs) => endMs <= nowMs)) running.splice(running.indexOf(done), 1);
    // A poller that was just freed may receive, and a batch that is full may begin at once.
    for (let before = -1; before !== next + invocations; ) {
      before = next + invocations;
      receive();
      invoke();
    }
    const isFull = running.length >= workers;
    const nextMs = earliest([
      ...tasks.slice(next, next + 1).flatMap(({ atMs }) => (atMs > nowMs ? [atMs] : [])),
      ...pollers.map(({ closesMs }) => closesMs).filter((ms) => ms > nowMs && Number.isFinite(ms)),
      ...(isFull || next < tasks.length ? running : []),
    ]);
    if (!Number.isFinite(nextMs)) break;
    nowMs = nextMs;
  }
  return { beganMs, endedMs, invocations, billedMs };
};

/** A small generator with a fixed seed (mulberry32), so that the page has the same figures in every run. */
export const seeded = (seed: number) => {
  let state = seed;
  const unit = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { unit, below: (count: number) => Math.floor(unit() * count) };
};

/** Hourly syncs of this many connections for some hours, each at its own time, begun at the next full minute. */
export const hourlyTasks = (connections: number, hours: number, waitMs: number, unit: () => number): QueuedTask[] => {
  const tasks: QueuedTask[] = [];
  for (let n = 0; n < connections; n++) {
    const phaseMs = unit() * HOUR_MS;
    for (let hour = 0; hour < hours; hour++) {
      const firedMs = hour * HOUR_MS + phaseMs;
      // Some months have more pages than others.
      tasks.push({ atMs: Math.ceil(firedMs / MINUTE_MS) * MINUTE_MS, waitMs: waitMs * (0.7 + 0.6 * unit()) });
    }
  }
  return tasks.sort((a, b) => a.atMs - b.atMs);
};
