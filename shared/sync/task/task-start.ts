/** Decides when a task that has not begun gets its message. */
import { nowMs } from '#shared/platform/clock.ts';
import type { SyncRun } from '#shared/sync/run.rules.ts';
import type { SyncTask } from './task.rules.ts';

const MINUTE_MS = 60_000;

type Start = Pick<SyncTask, 'isScheduled' | 'state' | 'waitsFor'>;

/** Returns what `startDelayMs` needs about the first task of a run. */
export const describeStart = ({ trigger }: Pick<SyncRun, 'trigger'>): Start => ({
  state: 'queued',
  waitsFor: null,
  ...(trigger === 'schedule' ? { isScheduled: true } : {}),
});

/**
 * Returns the delay of a task that has not begun. A task of a scheduled run begins at the full minute, because tasks that
 * begin together share invocations. A task that waited for a login begins at once: others wait for the same login.
 */
export const startDelayMs = ({ isScheduled, state, waitsFor }: Start): number => {
  const mayWait = isScheduled === true && state === 'queued' && (waitsFor === null || waitsFor.for === 'run');
  return mayWait ? (MINUTE_MS - (nowMs() % MINUTE_MS)) % MINUTE_MS : 0;
};
