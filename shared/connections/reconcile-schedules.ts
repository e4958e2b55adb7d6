/**
 * Makes Scheduler hold what the table says. The table is written first and leaves a due entry, then Scheduler is told;
 * whoever is cut off in between leaves the rest to the sweeper. Two at a time may tell Scheduler in the wrong order:
 * the one whose revision is no longer the table's finds out afterwards and does it again.
 */

import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import * as connections from './connection.store.ts';
import { parseScheduleName, scheduleName, wantedSchedule } from './schedule.rules.ts';
import * as schedules from './schedule.store.ts';
import { holdsSchedule, listScheduleNames, putSchedule, removeSchedule } from './scheduler.client.ts';

type Apply = 'always' | 'when-different';

const settle = async (organizationId: OrganizationId, connectionId: ConnectionId, apply: Apply): Promise<void> => {
  for (let attempts = 1; attempts <= CONNECTION_LIMITS.scheduleSettleAttemptsMax; attempts++) {
    const connection = await connections.find(organizationId, connectionId);
    const wanted = connection ? wantedSchedule(connection, nowMs()) : null;
    if (wanted === null) await removeSchedule(scheduleName(organizationId, connectionId));
    else if (apply === 'always' || !(await holdsSchedule(wanted))) await putSchedule(wanted);
    if (!connection || (await schedules.settled(connection, { hasSchedule: wanted !== null }))) return;
  }
  // Others keep changing it: the last of them settles it, and else the sweeper.
  await schedules.unsettled(organizationId, connectionId);
};

/** After a change of the table. A Scheduler that cannot be reached is the sweeper's matter, not the caller's. */
export const applySchedule = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  try {
    await settle(organizationId, connectionId, 'always');
  } catch (error) {
    log.warn('Scheduler was not told; the sweeper will do it', {
      organization_id: organizationId,
      connection_id: connectionId,
      ...describeError(error),
    });
  }
};

/** Of a deleted connection. The purge removes it again: a change that was under way may still bring it back. */
export const dropSchedule = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  try {
    await removeSchedule(scheduleName(organizationId, connectionId));
  } catch (error) {
    log.warn('the schedule of a deleted connection was not removed; the purge will do it', {
      organization_id: organizationId,
      connection_id: connectionId,
      ...describeError(error),
    });
  }
};

/** Of the sweeper: what was left undone, and the daily check of one connection. */
export const settleSchedule = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  try {
    await settle(organizationId, connectionId, 'when-different');
  } catch (error) {
    await schedules.unsettled(organizationId, connectionId);
    throw error;
  }
};

/** A firing that the table does not know: Scheduler holds an old setting, or this is one of its last messages. */
export const recheckSchedule = schedules.unsettled;

/** Schedules of the group whose connection is gone or wants none are removed, a few pages at each sweep. */
export const removeOrphanSchedules = async (): Promise<void> => {
  const claim = await schedules.claimReconciliation();
  if (!claim) return;
  let token = claim.token;
  for (let pages = 0; pages < CONNECTION_LIMITS.schedulePagesPerSweepMax; pages++) {
    const { names, next } = await listScheduleNames(token);
    await removeForeign(names);
    token = next;
    if (token === null) break;
  }
  await schedules.advanceReconciliation(claim, token);
};

const removeForeign = async (names: readonly string[]): Promise<void> => {
  const listed = names.map((name) => ({ name, owner: parseScheduleName(name) }));
  // Read after the list: whatever is listed was written to the table before.
  const found = await schedules.findMany(listed.flatMap(({ owner }) => owner ?? []));
  await forEachConcurrent(listed, CONNECTION_LIMITS.sweepParallelMax, async ({ name, owner }) => {
    const connection = owner && found.get(owner.connectionId);
    if (connection && wantedSchedule(connection, nowMs())) return;
    log.warn('a schedule without a reason was found and removed', { connection_id: owner?.connectionId });
    if (connection) await settle(connection.organizationId, connection.id, 'always');
    else await removeSchedule(name);
  });
};
