/** Connections: their states and moves (decisions.md §3). Pure. */

import * as z from 'zod';
import { connectionId, organizationId } from '#shared/values/ids.ts';

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
  createdAt: z.string(),
});
export interface Connection extends z.infer<typeof ConnectionSchema> {}

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
