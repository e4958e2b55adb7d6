/** Runs as served (service.md "SyncRun", decisions.md §5): every field always present, null when unknown. */
import * as z from 'zod';
import type { RunProgress } from '#shared/data/runs.ts';
import { instant, period, uuid } from '#shared/domain/fields.ts';
import { type ScopeOutcome, type SyncRun, sumOf } from '#shared/domain/sync-run.ts';

const ScopeNotice = z.object({
  code: z.string().nullable().describe('Machine-readable, e.g. tax.guias.out_of_window.'),
  message: z.string().nullable(),
});

const OUTCOME_STATUSES = ['queued', 'running', 'ok', 'partial', 'failed', 'cancelled'] as const;
const RUN_STATUSES = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const;

export const ScopeOutcomeView = z.object({
  scope: z.string().nullable(),
  status: z.enum(OUTCOME_STATUSES).nullable(),
  records_found: z.int().nullable(),
  duration_ms: z.int().nullable().describe('Wall-clock milliseconds of the scope in the run.'),
  period: period().nullable().describe('Period to pass as `?period=` to the read endpoint of the scope.'),
  periods: z.array(period()).describe('All periods that were synchronized.'),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  notices: z.array(ScopeNotice).describe('Expected conditions that are no failure.'),
});

const shape = {
  id: uuid(),
  connection_id: uuid(),
  scopes: z.array(z.string()),
  scope_outcomes: z.array(ScopeOutcomeView),
  status: z.enum(RUN_STATUSES).nullable(),
  trigger: z.enum(['manual', 'schedule']).nullable(),
  started_at: instant().nullable(),
  finished_at: instant().nullable(),
  created_at: instant().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  records_found: z.int().nullable(),
  records_created: z.int().nullable(),
  records_updated: z.int().nullable(),
  progress: z
    .object({
      stage: z.enum(['queued', 'connecting', 'downloading', 'storing', 'finishing']),
      message: z.string().nullable(),
      updated_at: instant().nullable(),
    })
    .nullable(),
};

export const SyncRunView = z.object(shape);
export const SyncRunWithInput = z.object({
  ...shape,
  input_metadata: z.record(z.string(), z.unknown()).describe('What the sync request sent as `metadata`.'),
});

const toOutcome = (outcome: ScopeOutcome): z.infer<typeof ScopeOutcomeView> => ({
  scope: outcome.scope,
  status: outcome.status,
  records_found: outcome.recordsFound,
  duration_ms: outcome.durationMs,
  period: outcome.period,
  periods: outcome.periods,
  error_code: outcome.errorCode,
  error_message: outcome.errorMessage,
  notices: outcome.notices,
});

const toProgress = (run: SyncRun, progress: RunProgress | undefined): z.infer<typeof SyncRunView>['progress'] => {
  if (run.finishedAt !== null) return null;
  if (run.status === 'queued' || !progress) return { stage: 'queued', message: null, updated_at: run.createdAt };
  return { stage: progress.stage, message: progress.message, updated_at: progress.updatedAt };
};

export const toSyncRun = (run: SyncRun, progress: RunProgress | undefined): z.infer<typeof SyncRunView> => ({
  id: run.id,
  connection_id: run.connectionId,
  scopes: run.scopes,
  scope_outcomes: run.scopes.flatMap((scope) => (run.outcomes[scope] ? [toOutcome(run.outcomes[scope])] : [])),
  status: run.status,
  trigger: run.trigger,
  started_at: run.startedAt,
  finished_at: run.finishedAt,
  created_at: run.createdAt,
  error_code: run.errorCode,
  error_message: run.errorMessage,
  records_found: sumOf(run, 'recordsFound'),
  records_created: sumOf(run, 'recordsCreated'),
  records_updated: sumOf(run, 'recordsUpdated'),
  progress: toProgress(run, progress),
});

export const toSyncRunWithInput = (
  run: SyncRun,
  progress: RunProgress | undefined,
): z.infer<typeof SyncRunWithInput> => ({ ...toSyncRun(run, progress), input_metadata: run.inputMetadata });
