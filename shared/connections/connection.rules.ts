/** Connections: their states and moves (decisions.md §3). Pure. */

export type ConnectionStatus = 'pending' | 'active' | 'error' | 'disabled';

export interface Schedule {
  enabled: boolean;
  /** One of 60, 360, 720, 1440; kept while disabled. */
  frequencyMinutes: number | null;
  /** First firing: one period after the schedule was set. Null while disabled. */
  startsAt: string | null;
  /** Grows with every change, so that a firing of an older setting is known as stale. */
  revision: number;
}

export interface Connection {
  id: string;
  organizationId: string;
  source: string;
  name: string;
  enabledScopes: string[];
  metadata: Record<string, unknown>;
  status: ConnectionStatus;
  schedule: Schedule;
  /** Grows whenever the credentials are replaced: a login's verdict is bound to it. */
  credentialsVersion: number;
  /** Runs that are not finished. */
  openRuns: string[];
  /** Scopes that were synchronized with success at least once. */
  syncedScopes: string[];
  lastSyncStatus: string | null;
  lastSuccessfulSyncAt: string | null;
  createdAt: string;
}

/** What replacing the credentials makes of it. */
export const statusAfterNewCredentials = (status: ConnectionStatus): ConnectionStatus =>
  status === 'error' ? 'pending' : status;

export const statusAfterEnabling = (status: ConnectionStatus, enabled: boolean): ConnectionStatus =>
  enabled ? (status === 'disabled' ? 'pending' : status) : 'disabled';

/** The next firing, computed from start and period, so that it is never in the past. Null when none will come. */
export const nextFiring = (status: ConnectionStatus, schedule: Schedule, nowMs: number): string | null => {
  const { enabled, frequencyMinutes, startsAt } = schedule;
  if (!enabled || frequencyMinutes === null || startsAt === null || status === 'disabled') return null;
  const start = Date.parse(startsAt);
  if (start > nowMs) return new Date(start).toISOString();
  const periodMs = frequencyMinutes * 60_000;
  return new Date(start + (Math.floor((nowMs - start) / periodMs) + 1) * periodMs).toISOString();
};
