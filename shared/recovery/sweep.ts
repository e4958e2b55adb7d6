/**
 * Finds all items past their due time and handles them while the invocation has time: undispatched runs first, then
 * scopes whose worker may be dead, then everything else, oldest first. Scopes that a slow queue holds are only postponed.
 */

import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { ensureReconciliation } from '#shared/connections/schedule.store.ts';
import { measureQueues } from '#shared/messaging/queue-depth.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { SyncTask } from '#shared/sync/task/task.rules.ts';
import { findSome } from '#shared/sync/task/task.store.ts';
import { msLeft } from '#shared/sync/task/task-time.ts';
import { postponeEntry, postponeFailed } from '#shared/table/due-index.ts';
import { countFailures, type DueEntry, parseDueKey, parseDueMs } from '#shared/table/due-keys.ts';
import { listDue } from './list-due.ts';
import { type Look, recoverItem } from './recover-item.ts';
import { countOverdue, type Overdue } from './sweep-metrics.ts';

/** What all items of one sweep share. */
interface Sweep extends Pick<Look, 'woken' | 'isSlow' | 'againMs'> {
  overdue: Overdue;
  hasTime: () => boolean;
}

/** @param remainingMs time left in the invocation */
export const sweep = async (remainingMs: () => number = () => Number.POSITIVE_INFINITY): Promise<void> => {
  await ensureReconciliation();
  const hasTime = (): boolean => remainingMs() > RECOVERY_LIMITS.sweepLeftMs;
  const overdue = countOverdue();
  const { runs, tasks, others } = await listDue(hasTime);
  const count = runs.length + tasks.length + others.length;
  const now: Sweep = { woken: new Set(), isSlow: measureQueues(), againMs: againMs(count), overdue, hasTime };
  await each(runs, now, (entry) => recoverQuietly(entry, now));
  const { urgent, rest, known } = await sort(tasks, others, now);
  await each(urgent, now, (entry) => recoverQuietly(entry, now));
  await each(rest, now, (entry) => recoverOrPostpone(entry, known.get(nameOf(entry)), now));
  if (count > 0) log.info('the sweeper found overdue items', { count });
  overdue.tell();
};

/** More items than one sweep can check are checked less often. */
const againMs = (count: number): number =>
  Math.min(RECOVERY_LIMITS.againSweepsMax, Math.ceil(count / RECOVERY_LIMITS.sweepItemsMax)) *
  RECOVERY_LIMITS.sweepEveryMs;

/** Handles the items while there is time. An item that has to wait for the next sweep counts as overdue. */
const each = (
  entries: readonly DueEntry[],
  { hasTime, overdue }: Sweep,
  handle: (entry: DueEntry) => Promise<void>,
): Promise<void> =>
  forEachConcurrent(entries, CONNECTION_LIMITS.sweepParallelMax, async (entry) => {
    if (hasTime()) return handle(entry);
    overdue.met(parseDueKey(entry)?.kind, parseDueMs(entry));
  });

const nameOf = ({ pk, sk }: DueEntry): string => `${pk} ${sk}`;

/** Separates tasks whose worker may be dead from all other items, which are ordered by their due time. */
const sort = async (tasks: readonly DueEntry[], others: readonly DueEntry[], { hasTime }: Sweep) => {
  const known = hasTime() ? await findSome(tasks) : new Map<string, SyncTask>();
  const isUrgent = (entry: DueEntry): boolean => known.get(nameOf(entry))?.state === 'working';
  const rest = [...tasks.filter((entry) => !isUrgent(entry)), ...others];
  return {
    urgent: tasks.filter(isUrgent),
    rest: rest.sort((a, b) => (a.due_sk < b.due_sk ? -1 : 1)),
    known,
  };
};

/** Postpones a task that a slow queue holds, since a reminder would only make the queue longer. */
const recoverOrPostpone = async (entry: DueEntry, task: SyncTask | undefined, now: Sweep): Promise<void> => {
  const untilReminderMs = task ? task.stateChangedAtMs + RECOVERY_LIMITS.slowReminderMs - nowMs() : 0;
  const isHeld =
    task !== undefined && task.waitsFor === null && untilReminderMs > 0 && msLeft(task) > 0 && task.state !== 'ended';
  if (!isHeld || !(await now.isSlow(task.source, task.scope))) return recoverQuietly(entry, now);
  now.overdue.met('work', task.stateChangedAtMs);
  const ms = Math.max(RECOVERY_LIMITS.slowLookMs, now.againMs) - SYNC_LIMITS.sweepMarginMs;
  await quietly(postponeEntry(entry, Math.min(ms, untilReminderMs, msLeft(task))), now.overdue);
};

const recoverQuietly = async (entry: DueEntry, { woken, isSlow, againMs, overdue }: Sweep): Promise<void> => {
  const kind = parseDueKey(entry)?.kind;
  let isOverdue = true;
  const look: Look = {
    ...{ woken, isSlow, againMs },
    waits: (sinceMs) => overdue.waits(kind, sinceMs),
    isInTime: () => {
      isOverdue = false;
    },
  };
  try {
    await recoverItem(entry, look);
  } catch (error) {
    const failures = countFailures(entry) + 1;
    log.error('an overdue item could not be redriven', {
      operation: 'sweep',
      count: failures,
      ...describeError(error),
    });
    overdue.failed();
    await quietly(postponeFailed(entry, failedMs(failures), failures), overdue);
  }
  if (isOverdue) overdue.met(kind, parseDueMs(entry));
};

/** Returns the time until an item is tried again that failed so often in a row: 1, 2, 4 … minutes. */
const failedMs = (failures: number): number =>
  Math.min(2 ** (failures - 1), RECOVERY_LIMITS.failedSweepsMax) * RECOVERY_LIMITS.sweepEveryMs -
  SYNC_LIMITS.sweepMarginMs;

/** The item stays due if it cannot be postponed. */
const quietly = async (postponed: Promise<void>, overdue: Overdue): Promise<void> => {
  try {
    await postponed;
  } catch (error) {
    overdue.failed();
    log.warn('a due entry could not be moved', { operation: 'sweep', ...describeError(error) });
  }
};
