/** The current step of a scope, for the run's `progress`. */

import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from './run.rules.ts';

type ProgressStage = Parameters<typeof runs.noteProgress>[1]['stage'];

export const note = async (run: SyncRun, stage: ProgressStage, message: string | null): Promise<void> => {
  await runs.noteProgress(run, { stage, message, updatedAt: nowIso() });
};

export type ReportProgress = (stage: 'downloading' | 'storing', message: string) => void;

/** At most one write per `progressEveryMs`. A failed write is ignored. */
export const reporter = (run: SyncRun): ReportProgress => {
  let reportedAt = 0;
  return (stage, message) => {
    if (nowMs() - reportedAt < SYNC_LIMITS.progressEveryMs) return;
    reportedAt = nowMs();
    note(run, stage, message).catch(() => undefined);
  };
};
