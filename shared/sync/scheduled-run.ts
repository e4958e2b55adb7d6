/**
 * Starts exactly one run for each firing of a connection's schedule, however often the firing is delivered
 * (architecture.md §5.1).
 */

import * as connections from '#shared/connections/connection.store.ts';
import { recheckSchedule } from '#shared/connections/reconcile-schedules.ts';
import { skipReason } from '#shared/connections/schedule.rules.ts';
import { derivedId } from '#shared/platform/ids.ts';
import { log } from '#shared/platform/logger.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import { dispatchRun, queuedRun } from './start-run.ts';

export interface Firing {
  organizationId: OrganizationId;
  connectionId: ConnectionId;
  /** Revision of the schedule that EventBridge Scheduler fired. */
  revision: number;
  /** Time for which the firing was scheduled, in ISO 8601. */
  scheduledAt: string;
}

/**
 * Returns the id of the run of a firing. Every delivery of a firing gives the same id: the id's time and its random
 * bits derive from connection and scheduled time.
 */
export const scheduledRunId = ({ connectionId, scheduledAt }: Firing): string => {
  const atMs = Date.parse(scheduledAt);
  return derivedId(`${connectionId}\n${new Date(atMs).toISOString()}`, atMs);
};

const skip = async (firing: Firing, reason: string): Promise<void> => {
  log.info('a scheduled sync was skipped', {
    organization_id: firing.organizationId,
    connection_id: firing.connectionId,
    code: reason,
  });
  if (reason === 'stale') await recheckSchedule(firing.organizationId, firing.connectionId);
};

export const startScheduledRun = async (firing: Firing): Promise<void> => {
  const { organizationId, connectionId, revision } = firing;
  const connection = await connections.find(organizationId, connectionId);
  const reason = skipReason(connection, revision);
  const runId = scheduledRunId(firing);
  // The firing was delivered again while its run is open. The run may still need to be dispatched.
  if (connection?.openRuns.includes(runId)) return dispatchRun(organizationId, connectionId, runId);
  if (!connection || reason !== null) return skip(firing, reason ?? 'gone');
  const run = queuedRun(connection, {
    runId,
    scopes: connection.enabledScopes,
    inputMetadata: {},
    trigger: 'schedule',
  });
  try {
    await runs.createScheduled(run, revision);
  } catch (error) {
    // The firing was delivered again. Only the dispatch of its run may still be missing.
    if (error instanceof runs.RunExists) return dispatchRun(organizationId, connectionId, runId);
    if (!(error instanceof runs.ScheduleRefused)) throw error;
    return skip(firing, skipReason(await connections.find(organizationId, connectionId), revision) ?? 'changed');
  }
  await dispatchRun(organizationId, connectionId, runId);
};
