/** Reports the current step of a scope in the run's `progress`. */

import * as connections from '#shared/connections/connection.store.ts';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { SyncRun } from './run.rules.ts';

type ProgressStage = Parameters<typeof runs.noteProgress>[1]['stage'];

export const note = async (run: SyncRun, stage: ProgressStage, message: string | null): Promise<void> => {
  await runs.noteProgress(run, { stage, message, updatedAt: nowIso() });
};

export interface ApprovalNotes {
  /** Reports on run and connection that a person must approve the login until then. A failed write is ignored. */
  begin(untilMs: number): void;
  /** Resolves when neither reports it any longer. */
  end(): Promise<void>;
}

export const approvalNotes = (run: SyncRun): ApprovalNotes => {
  const at = { organizationId: run.organizationId, connectionId: run.connectionId, runId: run.id };
  let begun: Promise<unknown> | undefined;
  return {
    begin: (untilMs) => {
      const message = 'The institution waits for an approval on the phone.';
      const approvalUntil = new Date(untilMs).toISOString();
      const progress = { stage: 'connecting', message, updatedAt: nowIso(), approvalUntil } as const;
      begun = Promise.allSettled([runs.noteProgress(run, progress), connections.noteApproval(at, approvalUntil)]);
    },
    end: async () => {
      await begun;
      if (begun !== undefined)
        await Promise.allSettled([note(run, 'connecting', null), connections.noteApproval(at, null)]);
    },
  };
};

export type ReportProgress = (stage: 'downloading' | 'storing', message: string) => void;

/**
 * Returns a function that reports progress. It writes at most once per `progressEveryMs` and ignores a failed write.
 */
export const reporter = (run: SyncRun): ReportProgress => {
  let reportedAt = 0;
  return (stage, message) => {
    if (nowMs() - reportedAt < SYNC_LIMITS.progressEveryMs) return;
    reportedAt = nowMs();
    note(run, stage, message).catch(() => undefined);
  };
};
