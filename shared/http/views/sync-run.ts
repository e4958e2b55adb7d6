/**
 * Runs as the API returns them (service.md "SyncRun", decisions.md §5). Every field is always present, null if unknown.
 */
import * as z from 'zod';
import type { RunProgress } from '#shared/sync/run/run.store.ts';
import { freshOutcome, type ScopeOutcome, type SyncRun, sumCounter } from '#shared/sync/run.rules.ts';
import { instant, period, uuid } from '#shared/values/fields.ts';
import { NoticeParams } from '#shared/values/notice-params.ts';

const ScopeNotice = z
  .object({
    code: z
      .string()
      .nullable()
      .describe('Machine-readable, e.g. tax.guias.out_of_window. `x-notice-codes` in this description lists all.')
      .meta({ examples: ['tax.guias.out_of_window'] }),
    message: z
      .string()
      .nullable()
      .meta({ examples: ['2025-01 is older than the source keeps.'] }),
    params: NoticeParams.optional().describe('Figures of the message. Absent in outcomes of earlier releases.'),
  })
  .meta({ id: 'ScopeNotice' });

const errorCode = () =>
  z
    .string()
    .nullable()
    .describe(
      'A dotted code, e.g. source.invalid_credentials, not an HTTP error code. `x-sync-error-codes` in this description lists all.',
    )
    .meta({ examples: [null] });
const errorMessage = () =>
  z
    .string()
    .nullable()
    .meta({ examples: [null] });

const OUTCOME_STATUSES = ['queued', 'running', 'ok', 'partial', 'failed', 'cancelled'] as const;
const RUN_STATUSES = ['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled'] as const;

export const ScopeOutcomeView = z
  .object({
    scope: z
      .string()
      .nullable()
      .meta({ examples: ['rcv'] }),
    status: z
      .enum(OUTCOME_STATUSES)
      .nullable()
      .meta({ examples: ['ok'] }),
    records_found: z
      .int()
      .nullable()
      .meta({ examples: [152] }),
    duration_ms: z
      .int()
      .nullable()
      .describe('Time that the scope took in the run, in milliseconds.')
      .meta({ examples: [8412] }),
    period: period()
      .nullable()
      .describe('The newest of `periods`. Use it as `?period=` of the read endpoint of the scope.'),
    periods: z.array(period()).describe('All periods that were synchronized.'),
    error_code: errorCode(),
    error_message: errorMessage(),
    notices: z
      .array(ScopeNotice)
      .describe('Expected conditions that are not failures.')
      .meta({ examples: [[]] }),
  })
  .meta({ id: 'ScopeOutcome' });

const shape = {
  id: uuid(),
  connection_id: uuid(),
  scopes: z.array(z.string()).meta({ examples: [['rcv']] }),
  scope_outcomes: z.array(ScopeOutcomeView).describe('One entry per scope, present from the start of the run.'),
  status: z
    .enum(RUN_STATUSES)
    .nullable()
    .describe('The last four values are final.')
    .meta({ examples: ['succeeded'] }),
  trigger: z.enum(['manual', 'schedule']).nullable(),
  started_at: instant().nullable(),
  finished_at: instant().nullable(),
  created_at: instant().nullable(),
  error_code: errorCode(),
  error_message: errorMessage(),
  records_found: z
    .int()
    .nullable()
    .describe('Sum over the scopes. Null until the run has started.')
    .meta({ examples: [152] }),
  records_created: z
    .int()
    .nullable()
    .meta({ examples: [140] }),
  records_updated: z
    .int()
    .nullable()
    .describe('Rows whose content changed.')
    .meta({ examples: [2] }),
  progress: z
    .object({
      stage: z.enum(['queued', 'connecting', 'downloading', 'storing', 'finishing']),
      message: z.string().nullable(),
      updated_at: instant().nullable(),
      waiting_for: z
        .enum(['approval'])
        .optional()
        .describe('`approval`: the institution waits until a person approves the login on the phone. Else absent.'),
      until: instant().optional().describe('With `waiting_for`: when the wait ends, and the sync with it.'),
    })
    .nullable()
    .describe('Current progress of a running sync. Null after its end.')
    .meta({ examples: [null] }),
};

export const SyncRunView = z.object(shape).meta({ id: 'SyncRun' });
export const SyncRunWithInput = z
  .object({
    ...shape,
    input_metadata: z
      .record(z.string(), z.unknown())
      .describe('The `metadata` of the sync request.')
      .meta({ examples: [{ periods: ['2026-10'] }] }),
  })
  .meta({ id: 'SyncRunWithInput' });

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
  const { stage, message, updatedAt, approvalUntil } = progress;
  const waiting = approvalUntil === undefined ? {} : { waiting_for: 'approval' as const, until: approvalUntil };
  return { stage, message, updated_at: updatedAt, ...waiting };
};

export const toSyncRun = (run: SyncRun, progress: RunProgress | undefined): z.infer<typeof SyncRunView> => ({
  id: run.id,
  connection_id: run.connectionId,
  scopes: run.scopes,
  scope_outcomes: run.scopes.map((scope) => toOutcome(run.outcomes[scope] ?? freshOutcome(scope))),
  status: run.status,
  trigger: run.trigger,
  started_at: run.startedAt,
  finished_at: run.finishedAt,
  created_at: run.createdAt,
  error_code: run.errorCode,
  error_message: run.errorMessage,
  records_found: sumCounter(run, 'recordsFound'),
  records_created: sumCounter(run, 'recordsCreated'),
  records_updated: sumCounter(run, 'recordsUpdated'),
  progress: toProgress(run, progress),
});

export const toSyncRunWithInput = (
  run: SyncRun,
  progress: RunProgress | undefined,
): z.infer<typeof SyncRunWithInput> => ({ ...toSyncRun(run, progress), input_metadata: run.inputMetadata });
