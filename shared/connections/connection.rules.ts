/** Connections: their states and moves (decisions.md §3). Pure. */

import * as z from 'zod';
import { AuthorSchema, type ChangedPart } from '#shared/audit/audit.rules.ts';
import { connectionId, organizationId } from '#shared/values/ids.ts';
import { storedErrorCode } from '#shared/values/sync-errors.ts';

const ConnectionStatusSchema = z.enum(['pending', 'active', 'error', 'disabled']);
export type ConnectionStatus = z.infer<typeof ConnectionStatusSchema>;

const ScheduleSchema = z.object({
  enabled: z.boolean(),
  /** One of 60, 360, 720, 1440. The value stays while the schedule is disabled. */
  frequencyMinutes: z.number().nullable(),
  /** First firing: one period after the schedule was set. Null while disabled. */
  startsAt: z.string().nullable(),
  /** Increases with every change, so that a firing of an older setting is recognized as stale. */
  revision: z.number(),
});
export interface Schedule extends z.infer<typeof ScheduleSchema> {}

export const ConnectionSchema = z.object({
  id: connectionId(),
  organizationId: organizationId(),
  source: z.string(),
  name: z.string(),
  enabledScopes: z.array(z.string()),
  metadata: z.record(z.string(), z.unknown()),
  status: ConnectionStatusSchema,
  schedule: ScheduleSchema,
  /** Increases whenever the credentials are replaced. A login's verdict is bound to this version. */
  credentialsVersion: z.number(),
  /** Ids of runs that are not finished. */
  openRuns: z.array(z.string()),
  /** Scopes that were synchronized successfully at least once. */
  syncedScopes: z.array(z.string()),
  lastSyncStatus: z.string().nullable(),
  lastSuccessfulSyncAt: z.string().nullable(),
  /**
   * Last month, YYYY-MM, that was complete in every enabled scope when the latest run ended. Absent if unknown. An open
   * run may change it.
   */
  lastCompletePeriod: z.string().optional(),
  /** Increases whenever a run ends or the enabled scopes change, so that no older coverage decides the month. */
  coverageRevision: z.number().optional(),
  /** Error code of the latest finished run; absent after a success and after new credentials. */
  lastErrorCode: storedErrorCode().optional(),
  /** Until when the institution waits for a person's approval of a login. A crashed worker leaves a time of the past. */
  approvalUntil: z.string().optional(),
  /**
   * Account by `identifyAccount`: a keyed hash of login and company, and one of the company. Absent if the source shares
   * logins normally, and on an older connection until its next run.
   */
  accountKey: z.string().optional(),
  createdAt: z.string(),
  /** Absent on connections that were created before authors were stored. */
  createdBy: AuthorSchema.optional(),
});
export interface Connection extends z.infer<typeof ConnectionSchema> {}

/** What the creator of a connection decides. */
export type NewConnectionFields = Pick<
  Connection,
  'id' | 'organizationId' | 'source' | 'name' | 'enabledScopes' | 'metadata' | 'accountKey' | 'createdAt' | 'createdBy'
>;

/** Returns a connection that was never synchronized and has no schedule. */
export const newConnection = (fields: NewConnectionFields): Connection => ({
  ...fields,
  status: 'pending',
  schedule: { enabled: false, frequencyMinutes: null, startsAt: null, revision: 0 },
  credentialsVersion: 1,
  openRuns: [],
  syncedScopes: [],
  lastSyncStatus: null,
  lastSuccessfulSyncAt: null,
});

/** Returns the connection's status after its credentials were replaced. */
export const statusAfterNewCredentials = (status: ConnectionStatus): ConnectionStatus =>
  status === 'error' ? 'pending' : status;

export const statusAfterEnabling = (
  status: ConnectionStatus,
  { isEnabled }: { isEnabled: boolean },
): ConnectionStatus => (isEnabled ? (status === 'disabled' ? 'pending' : status) : 'disabled');

/**
 * Returns the time of the next firing: the first time after now that is a whole number of periods after the
 * start. Null if no firing is planned.
 */
export const nextFiring = (status: ConnectionStatus, schedule: Schedule, nowMs: number): string | null => {
  const { enabled, frequencyMinutes, startsAt } = schedule;
  if (!enabled || frequencyMinutes === null || startsAt === null || status === 'disabled') return null;
  const start = Date.parse(startsAt);
  if (start > nowMs) return new Date(start).toISOString();
  const periodMs = frequencyMinutes * 60_000;
  return new Date(start + (Math.floor((nowMs - start) / periodMs) + 1) * periodMs).toISOString();
};

export interface ConnectionChange {
  name?: string;
  enabledScopes?: string[];
  metadata?: Record<string, unknown>;
  status?: ConnectionStatus;
  schedule?: Schedule;
  /** New encrypted credentials. Their version becomes `expectedVersion + 1`. */
  credentials?: { ciphertext: Uint8Array; expectedVersion: number; accountKey: string | undefined };
}

/** Returns the parts of the connection that a person sees change. A new status counts if it enables or disables. */
export const changedParts = (connection: Connection, change: ConnectionChange): ChangedPart[] => {
  const isSwitched =
    change.status !== undefined && (change.status === 'disabled') !== (connection.status === 'disabled');
  const parts: readonly [ChangedPart, unknown][] = [
    ['name', change.name],
    ['enabled_scopes', change.enabledScopes],
    ['metadata', change.metadata],
    ['credentials', change.credentials],
    ['schedule', change.schedule],
    ['enabled', isSwitched || undefined],
  ];
  return parts.flatMap(([part, value]) => (value === undefined ? [] : [part]));
};
