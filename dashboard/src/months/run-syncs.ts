/**
 * Runs the planned syncs one after the other. It waits when the service refuses a request because of a limit (429), and
 * continues after a refusal that concerns one connection, such as a disabled one (409).
 */

import type { SyncRun } from '../api/client.ts';
import { ApiRefusal, LostConnection } from '../api/refusal.ts';
import type { PlannedSync } from './plan-syncs.ts';

/** What became of a sync: its run after the end, the refusal of its start, or null if it was cancelled before its start. */
export interface SyncResult {
  sync: PlannedSync;
  run: SyncRun | null;
  refusal: ApiRefusal | null;
}

export interface SyncProgress {
  /** Number of syncs that have ended. */
  ended: number;
  /** The sync that runs now; null before the first and after the last. */
  sync: PlannedSync | null;
  run: SyncRun | null;
  /** Seconds that the service asked to wait; null if nothing is waited for. */
  waitSeconds: number | null;
  results: readonly SyncResult[];
}

export interface SyncPorts {
  /** Starts the sync and returns the id of its run. @param key Idempotency-Key */
  start(sync: PlannedSync, key: string): Promise<string>;
  read(sync: PlannedSync, runId: string): Promise<SyncRun>;
  cancel(sync: PlannedSync, runId: string): Promise<SyncRun>;
  /** Returns after the time, or at once when the signal is aborted. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
  newKey(): string;
}

/** Reason of an abort when the person leaves the page: the open run continues at the service. */
export const LEFT = 'left';

export const NOT_STARTED: SyncProgress = { ended: 0, sync: null, run: null, waitSeconds: null, results: [] };

const POLL_MS = 1_000;
const LOST_MS = 3_000;
/** Some two minutes of lost connections. */
const LOST_MAX = 40;
/** Wait after a 429 without `Retry-After`. */
const LIMIT_SECONDS = 10;
/** A run of a moment ago may be missing in the coverage for a second. */
export const SETTLE_MS = 1_500;

const isOver = ({ status }: SyncRun): boolean => status !== 'queued' && status !== 'running';

interface SyncWalk {
  ports: SyncPorts;
  signal: AbortSignal;
  report(change: Partial<SyncProgress>): void;
}

/** Returns the seconds to wait before the next attempt. @throws the error if another attempt cannot help */
const secondsAfter = (error: unknown, lost: number): number => {
  if (error instanceof ApiRefusal && error.status === 429) return Math.max(1, error.retryAfterSeconds ?? LIMIT_SECONDS);
  const isPassing = error instanceof LostConnection || (error instanceof ApiRefusal && error.status === 503);
  if (isPassing && lost < LOST_MAX) return LOST_MS / 1000;
  throw error;
};

/** Repeats the request until it is answered. Returns null if the person cancelled meanwhile. */
const insist = async <T>({ ports, signal, report }: SyncWalk, ask: (key: string) => Promise<T>): Promise<T | null> => {
  let key = ports.newKey();
  for (let lost = 0; !signal.aborted; ) {
    try {
      return await ask(key);
    } catch (error) {
      const seconds = secondsAfter(error, lost);
      // The API also stores a refusal under its key. Without an answer the same key prevents a second run.
      if (error instanceof ApiRefusal) key = ports.newKey();
      else lost += 1;
      report({ waitSeconds: seconds });
      await ports.pause(seconds * 1000, signal);
      report({ waitSeconds: null });
    }
  }
  return null;
};

/** Follows the run to its end. After a cancellation it cancels the run, unless the person has left the page. */
const follow = async (walk: SyncWalk, sync: PlannedSync, runId: string): Promise<SyncRun | null> => {
  const { ports, signal, report } = walk;
  while (!signal.aborted) {
    const run = await insist(walk, () => ports.read(sync, runId));
    if (run !== null) report({ run });
    if (run !== null && isOver(run)) return run;
    await ports.pause(POLL_MS, signal);
  }
  return signal.reason === LEFT ? null : ports.cancel(sync, runId);
};

const runOne = async (walk: SyncWalk, sync: PlannedSync): Promise<SyncResult> => {
  try {
    const runId = await insist(walk, (key) => walk.ports.start(sync, key));
    const run = runId === null ? null : await follow(walk, sync, runId);
    return { sync, run, refusal: null };
  } catch (error) {
    const isOfConnection = error instanceof ApiRefusal && [404, 409, 422].includes(error.status);
    if (isOfConnection) return { sync, run: null, refusal: error };
    throw error;
  }
};

/** @param signal its abort ends the walk: the open run is cancelled, and no other run is started */
export const runSyncs = async (
  syncs: readonly PlannedSync[],
  ports: SyncPorts,
  signal: AbortSignal,
  onProgress: (progress: SyncProgress) => void,
): Promise<readonly SyncResult[]> => {
  let progress = NOT_STARTED;
  const report = (change: Partial<SyncProgress>): void => {
    progress = { ...progress, ...change };
    onProgress(progress);
  };
  for (const sync of syncs) {
    if (signal.aborted) break;
    report({ sync, run: null });
    const result = await runOne({ ports, signal, report }, sync);
    report({ ended: progress.ended + 1, results: [...progress.results, result] });
  }
  report({ sync: null, run: null });
  await ports.pause(SETTLE_MS, signal);
  return progress.results;
};
