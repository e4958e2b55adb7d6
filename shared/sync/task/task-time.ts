/** The time limit of a scope, counted from its first lease (decisions.md §5). */

import { nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import type { RunFailure } from '#shared/sync/run.rules.ts';
import type { SyncTask } from './task.rules.ts';

export const msLeft = ({ firstLeasedAt }: Pick<SyncTask, 'firstLeasedAt'>): number =>
  SYNC_LIMITS.scopeMinutesMax * 60_000 - (firstLeasedAt === null ? 0 : nowMs() - Date.parse(firstLeasedAt));

export const timedOut = (task: Pick<SyncTask, 'firstLeasedAt'>): RunFailure | null =>
  msLeft(task) >= 0
    ? null
    : { code: 'sync.timed_out', message: `The scope took longer than ${SYNC_LIMITS.scopeMinutesMax} minutes.` };
