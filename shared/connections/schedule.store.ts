/**
 * Due entries that make Scheduler match the table. A connection with a changed schedule is due until Scheduler has
 * accepted the change, and once again some minutes later. A connection with a schedule is due once a day for a check.
 * One item of the service is due once
 * a day; it starts the search for schedules without a connection.
 */

import * as z from 'zod';
import { CONNECTION_LIMITS } from '#shared/connections/limits.ts';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { DUE_ATTRIBUTES, dueIn, isDue } from '#shared/table/due-index.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { item } from '#shared/table/item.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import type { Connection } from './connection.rules.ts';

/**
 * Returns the time until the next check: `scheduleCheckMs` less up to a quarter, depending on the connection. So
 * schedules that were set at the same time are not all checked in the same minute.
 */
const checkInMs = (connectionId: ConnectionId): number => {
  const part = Number.parseInt(connectionId.slice(-4), 16) / 0xffff;
  return Math.round(CONNECTION_LIMITS.scheduleCheckMs * (1 - part / 4));
};

/** Returns true if the condition held and the change was written. */
const tryUpdate = async (key: Key, change: Parameters<typeof table.update>[1]): Promise<boolean> => {
  try {
    await table.update(key, change);
    return true;
  } catch (error) {
    if (error instanceof ConditionRefused) return false;
    throw error;
  }
};

export interface SettledSchedule {
  hasSchedule: boolean;
  /** True if Scheduler was changed. An earlier call may still arrive and undo the change, so a second look follows. */
  isChanged: boolean;
}

/**
 * Records that Scheduler matches `connection`. Returns false if the schedule changed after `connection` was read; in
 * this case Scheduler may be wrong and must be called again.
 */
export const settled = async (
  connection: Connection,
  { hasSchedule, isChanged }: SettledSchedule,
): Promise<boolean> => {
  const key = keys.connection(connection.organizationId, connection.id);
  const nextMs = isChanged ? CONNECTION_LIMITS.scheduleSecondLookMs : checkInMs(connection.id);
  return tryUpdate(key, {
    ...(isChanged || hasSchedule ? { set: dueIn(key, nextMs) } : { remove: [...DUE_ATTRIBUTES] }),
    if: 'attribute_exists(pk) AND #schedule.#revision = :seen',
    values: { seen: connection.schedule.revision },
  });
};

/** Makes the connection due soon, because Scheduler was unreachable or a firing does not match the table. */
export const unsettled = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<void> => {
  const key = keys.connection(organizationId, connectionId);
  await tryUpdate(key, { set: dueIn(key, MESSAGING_LIMITS.messageGraceMs), if: 'attribute_exists(pk)' });
};

/** Position of the search for schedules without a connection. */
const ReconciliationSchema = z.object({
  generation: z.number(),
  /** Token of the page to continue with; null for the first page. */
  token: z.string().nullable(),
});
export interface Reconciliation extends z.infer<typeof ReconciliationSchema> {}

export const reconciliationItem = item('schedule reconciliation', ReconciliationSchema, {
  names: { generation: 'hop' },
});
const reconciliationKey = keys.scheduleComparison();

/** Creates the item if it is missing. Only the first sweep does this. */
export const ensureReconciliation = async (): Promise<void> => {
  if (await table.get(reconciliationKey, { consistent: false })) return;
  try {
    await table.put(
      {
        ...reconciliationKey,
        ...dueIn(reconciliationKey, 0),
        ...reconciliationItem.toItem({ generation: 1, token: null }),
      },
      { if: 'attribute_not_exists(pk)' },
    );
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

/** Claims the search. Returns undefined if another sweeper has claimed it. */
export const claimReconciliation = async (): Promise<Reconciliation | undefined> => {
  const found = await table.get(reconciliationKey);
  if (!found || !isDue(found)) return undefined;
  const { generation, token } = reconciliationItem.fromItem(found);
  const isOurs = await tryUpdate(reconciliationKey, {
    set: {
      ...reconciliationItem.toChanges({ generation: generation + 1 }),
      ...dueIn(reconciliationKey, MESSAGING_LIMITS.messageGraceMs),
    },
    if: '#hop = :seen',
    values: { seen: generation },
  });
  return isOurs ? { generation: generation + 1, token } : undefined;
};

/**
 * Ends this step of the search. With a token, the search continues at the next sweep; without a token, it starts again
 * the next day.
 */
export const advanceReconciliation = async ({ generation }: Reconciliation, token: string | null): Promise<void> => {
  await tryUpdate(reconciliationKey, {
    set: { token, ...dueIn(reconciliationKey, token === null ? CONNECTION_LIMITS.scheduleCheckMs : 0) },
    if: '#hop = :seen',
    values: { seen: generation },
  });
};
