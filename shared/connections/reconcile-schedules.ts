/**
 * Makes EventBridge Scheduler match the table. The table is written first and gets a due entry, then Scheduler is
 * called. If a worker dies in between, the sweeper calls Scheduler. If two concurrent changes call Scheduler in the
 * wrong order, the change with the outdated revision notices this and calls Scheduler again. Some minutes after each
 * change the sweeper compares again, because a call whose caller gave up may arrive late.
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
    const isChanged = apply === 'always' || (wanted !== null && !(await holdsSchedule(wanted)));
    if (wanted === null) await removeSchedule(scheduleName(organizationId, connectionId));
    else if (isChanged) await putSchedule(wanted);
    if (!connection || (await schedules.settled(connection, { hasSchedule: wanted !== null, isChanged }))) return;
  }
  // Other requests changed the schedule in every attempt. The last of these requests, or the sweeper, calls Scheduler
  // with the final setting.
  await schedules.unsettled(organizationId, connectionId);
};

/**
 * Applies a change of the table to Scheduler. If Scheduler is unreachable, this function does not fail, and the sweeper
 * repeats the call.
 */
export const applySchedule = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  try {
    await settle(organizationId, connectionId, 'always');
  } catch (error) {
    log.warn('Scheduler was not updated; the sweeper will repeat it', {
      organization_id: organizationId,
      connection_id: connectionId,
      ...describeError(error),
    });
  }
};

/**
 * Removes the schedule of a deleted connection. The purge removes the schedule again, because a change in flight may
 * create it again.
 */
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

/** Called by the sweeper. Repeats unfinished changes, checks each change again, and each connection once a day. */
export const settleSchedule = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  try {
    await settle(organizationId, connectionId, 'when-different');
  } catch (error) {
    await schedules.unsettled(organizationId, connectionId);
    throw error;
  }
};

/** Must be called for a firing that does not match the table: Scheduler has an old setting, or the message is late. */
export const recheckSchedule = schedules.unsettled;

/** Removes schedules whose connection is deleted or has no schedule, a few pages per sweep. */
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
  // Connections are read after the list, because the table was written before any schedule in the list.
  const found = await connections.findMany(listed.flatMap(({ owner }) => owner ?? []));
  await forEachConcurrent(listed, CONNECTION_LIMITS.sweepParallelMax, async ({ name, owner }) => {
    const connection = owner && found.get(owner.connectionId);
    if (connection && wantedSchedule(connection, nowMs())) return;
    log.warn('a schedule without a connection was removed', { connection_id: owner?.connectionId });
    if (connection) await settle(connection.organizationId, connection.id, 'always');
    else await removeSchedule(name);
  });
};
