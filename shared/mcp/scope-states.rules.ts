/** What the newest runs say of each scope of a connection. Pure. */
import { isDone, type ScopeOutcome, type SyncRun } from '#shared/sync/run.rules.ts';

export interface ScopeState {
  /** The newest outcome that ended; null where none of the runs has one. */
  last: { outcome: ScopeOutcome; endedAt: string } | null;
  /** End of the newest run in which the scope ended `ok` or `partial`. */
  syncedAt: string | null;
  /** A run with the scope is under way. */
  isUnderWay: boolean;
}

const CAME_IN: ReadonlySet<string> = new Set(['ok', 'partial']);

/** @param runs newest first */
export const scopeStateOf = (scope: string, runs: readonly SyncRun[]): ScopeState => {
  const state: ScopeState = { last: null, syncedAt: null, isUnderWay: false };
  for (const { outcomes, finishedAt, createdAt } of runs) {
    const outcome = outcomes[scope];
    if (outcome === undefined) continue;
    if (!isDone(outcome)) state.isUnderWay ||= finishedAt === null;
    else {
      const endedAt = finishedAt ?? createdAt;
      state.last ??= { outcome, endedAt };
      if (CAME_IN.has(outcome.status)) state.syncedAt ??= endedAt;
    }
  }
  return state;
};
