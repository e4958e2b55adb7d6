/** Defines runs and the outcomes of their scopes. One pure function decides how a run ended (decisions.md §5). */

import * as z from 'zod';
import type { ConnectionStatus } from '#shared/connections/connection.rules.ts';
import { connectionId, organizationId } from '#shared/values/ids.ts';
import type { NoticeCode } from '#shared/values/notice-catalogue.ts';
import { NoticeParams } from '#shared/values/notice-params.ts';
import { SYNC_ERRORS, type SyncErrorCode, storedErrorCode } from '#shared/values/sync-errors.ts';

export type TerminalStatus = 'succeeded' | 'partial' | 'failed' | 'cancelled';
const RunStatusSchema = z.enum(['queued', 'running', 'succeeded', 'partial', 'failed', 'cancelled']);
export type RunStatus = z.infer<typeof RunStatusSchema>;
export const OUTCOME_STATUSES = ['queued', 'running', 'ok', 'partial', 'failed', 'cancelled'] as const;
const OutcomeStatusSchema = z.enum(OUTCOME_STATUSES);
export type OutcomeStatus = z.infer<typeof OutcomeStatusSchema>;

/** Accepts any string: after a rollback, a newer release may have stored a code that this release does not know. */
const storedNoticeCode = (): z.ZodType<NoticeCode, NoticeCode> =>
  z.string() as unknown as z.ZodType<NoticeCode, NoticeCode>;

export const OutcomeNoticeSchema = z.object({
  code: storedNoticeCode(),
  message: z.string(),
  // Absent in outcomes of earlier releases.
  params: NoticeParams.optional(),
});
export interface OutcomeNotice extends z.infer<typeof OutcomeNoticeSchema> {}

const ScopeOutcomeSchema = z.object({
  scope: z.string(),
  status: OutcomeStatusSchema,
  recordsFound: z.number().nullable(),
  recordsCreated: z.number().nullable(),
  recordsUpdated: z.number().nullable(),
  durationMs: z.number().nullable(),
  period: z.string().nullable(),
  periods: z.array(z.string()),
  errorCode: storedErrorCode().nullable(),
  errorMessage: z.string().nullable(),
  notices: z.array(OutcomeNoticeSchema),
});
export interface ScopeOutcome extends z.infer<typeof ScopeOutcomeSchema> {}

/** The reason why a scope or a login request ended without success. */
export interface RunFailure {
  code: SyncErrorCode;
  message: string;
}

/** Logins of a run, over all its scopes. The history of a login over all runs is in login.rules.ts. */
const LoginRecordSchema = z.object({
  /** Version of the credentials of the last login request. */
  credentialsVersion: z.number(),
  /**
   * Requests of this run, with any verdict; a token that is renewed in time is not counted. Absent in runs of
   * earlier releases.
   */
  requests: z.number().optional(),
  /** Version of the credentials that the institution accepted last. Absent before, and in runs of earlier releases. */
  acceptedVersion: z.number().optional(),
  /** True after an institution ended two sessions in a row: the run makes no other request. */
  isOver: z.boolean().optional(),
  /** Requests of this run that ended without a clear verdict. Includes a request that is under way. */
  failures: z.number(),
  /** Reason for the newest failure, also of an accepted login whose session shows nothing. Null while a verdict is pending. */
  fault: z.object({ code: storedErrorCode(), message: z.string() }).nullable(),
});
export interface LoginRecord extends z.infer<typeof LoginRecordSchema> {}

export const SyncRunSchema = z.object({
  id: z.string(),
  organizationId: organizationId(),
  connectionId: connectionId(),
  source: z.string(),
  trigger: z.enum(['manual', 'schedule']),
  status: RunStatusSchema,
  scopes: z.array(z.string()),
  /**
   * Contains only scopes that began. A run is written at each step of each scope, and the price of a write grows with
   * each kilobyte.
   */
  outcomes: z.record(z.string(), ScopeOutcomeSchema),
  inputMetadata: z.record(z.string(), z.unknown()),
  /** Every change of the run is conditional on this version. */
  version: z.number(),
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
  cancelledAt: z.string().nullable(),
  errorCode: storedErrorCode().nullable(),
  errorMessage: z.string().nullable(),
  login: LoginRecordSchema.nullable(),
});
export interface SyncRun extends z.infer<typeof SyncRunSchema> {}

const DONE: ReadonlySet<OutcomeStatus> = new Set(['ok', 'partial', 'failed', 'cancelled']);
const FINAL: ReadonlySet<RunStatus> = new Set(['succeeded', 'partial', 'failed', 'cancelled']);

export const isDone = (outcome: ScopeOutcome | undefined): boolean => outcome !== undefined && DONE.has(outcome.status);
export const isTerminal = (run: { status: RunStatus }): boolean => FINAL.has(run.status);

/** Returns the outcome of a scope that has not begun. */
export const freshOutcome = (scope: string): ScopeOutcome => ({
  scope,
  status: 'queued',
  recordsFound: null,
  recordsCreated: null,
  recordsUpdated: null,
  durationMs: null,
  period: null,
  periods: [],
  errorCode: null,
  errorMessage: null,
  notices: [],
});

/**
 * Decides how a run ended; no other function sets a terminal status. Returns null while a scope has no outcome yet,
 * unless the run was cancelled.
 */
export const terminalStatus = (
  scopes: readonly string[],
  outcomes: Readonly<Record<string, ScopeOutcome>>,
  cancelledAt: string | null,
): TerminalStatus | null => {
  if (cancelledAt !== null) return 'cancelled';
  const all = scopes.map((scope) => outcomes[scope]);
  if (scopes.length === 0 || !all.every(isDone)) return null;
  if (all.every((outcome) => outcome?.status === 'ok')) return 'succeeded';
  return all.some((outcome) => outcome?.status === 'ok' || outcome?.status === 'partial') ? 'partial' : 'failed';
};

const GRAVITY = { owner: 0, source: 1, us: 2 } as const;

/**
 * Returns the most severe error of the scopes. Faults of the owner come before faults of the source, and these before
 * our own faults. Among errors of the same severity, the scope order decides.
 */
export const mostSevereError = (
  scopes: readonly string[],
  outcomes: Readonly<Record<string, ScopeOutcome>>,
): { code: SyncErrorCode; message: string | null } | null => {
  let gravest: { code: SyncErrorCode; message: string | null } | null = null;
  for (const scope of scopes) {
    const outcome = outcomes[scope];
    const code = outcome?.errorCode;
    if (!code) continue;
    if (gravest === null || GRAVITY[SYNC_ERRORS[code].responsible] < GRAVITY[SYNC_ERRORS[gravest.code].responsible])
      gravest = { code, message: outcome.errorMessage };
  }
  return gravest;
};

type Counter = 'recordsFound' | 'recordsCreated' | 'recordsUpdated';

/** Returns the sum of a counter over the scopes, or null until the run has started. */
export const sumCounter = (run: Pick<SyncRun, 'outcomes' | 'status'>, counter: Counter): number | null =>
  run.status === 'queued'
    ? null
    : Object.values(run.outcomes).reduce((sum, outcome) => sum + (outcome[counter] ?? 0), 0);

/** Returns the type of the webhook event of a finished run. A cancelled run has no event. */
export const chooseEventType = (status: TerminalStatus): 'sync.succeeded' | 'sync.partial' | 'sync.failed' | null =>
  status === 'cancelled' ? null : `sync.${status}`;

/** Returns `data` of the event (service.md "Payload", decisions.md §5). It has exactly these fields, in camelCase. */
export const eventData = (run: SyncRun, status: 'succeeded' | 'partial' | 'failed'): Record<string, unknown> => {
  const gravest = mostSevereError(run.scopes, run.outcomes);
  return {
    syncRunId: run.id,
    organizationId: run.organizationId,
    connectionId: run.connectionId,
    status,
    scopes: run.scopes,
    scopeOutcomes: run.scopes.map((scope) => {
      const outcome = run.outcomes[scope];
      return {
        scope,
        status: outcome?.status ?? 'failed',
        recordsFound: outcome?.recordsFound ?? 0,
        durationMs: outcome?.durationMs ?? 0,
        period: outcome?.period ?? null,
      };
    }),
    ...(gravest ? { errorCode: gravest.code } : {}),
  };
};

/** Returns the connection's status after a run. A `disabled` connection stays disabled. */
export const statusAfterRun = (
  status: ConnectionStatus,
  run: TerminalStatus,
  errorCodes: readonly (SyncErrorCode | null)[],
): ConnectionStatus => {
  if (status === 'disabled' || run === 'cancelled') return status;
  if (errorCodes.some((code) => code !== null && SYNC_ERRORS[code].movesToError)) return 'error';
  return run === 'succeeded' || run === 'partial' ? 'active' : status;
};
