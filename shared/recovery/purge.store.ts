/** The purge item of a deleted connection, the tombstones of its leases, and its partitions. */

import { BY_SERVICE } from '#shared/audit/audit.rules.ts';
import * as audit from '#shared/audit/audit.store.ts';
import { type Purge, purgeItem } from '#shared/connections/purge-item.ts';
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { RECOVERY_LIMITS } from '#shared/recovery/limits.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { ConditionRefused } from '#shared/table/errors.ts';
import { type Key, keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import * as table from '#shared/table/table.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';

export const find = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<Purge | undefined> => {
  const found = await table.get(keys.purge(organizationId, connectionId));
  return found && purgeItem.fromItem(found);
};

/**
 * Begins the next step, which is due in `delayMs`, and returns its generation. Fails if another worker began a step.
 */
export const advance = async (
  { organizationId, connectionId, generation }: Purge,
  tombstonesAtMs: number | null,
  delayMs: number,
): Promise<number> => {
  const key = keys.purge(organizationId, connectionId);
  await table.update(key, {
    set: {
      ...purgeItem.toChanges({ tombstonesAtMs, generation: generation + 1 }),
      ...dueIn(key, delayMs + RECOVERY_LIMITS.purgeStepMs),
    },
    if: '#hop = :generation',
    values: { generation },
  });
  return generation + 1;
};

/** Begins a lost step again and returns its new generation. */
export const recover = async (organizationId: OrganizationId, connectionId: ConnectionId): Promise<number> => {
  const key = keys.purge(organizationId, connectionId);
  const change = { set: dueIn(key, RECOVERY_LIMITS.purgeStepMs), add: { hop: 1 }, if: 'attribute_exists(pk)' };
  return purgeItem.fromItem(await table.update(key, change)).generation;
};

export const leaseKeys = (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopes: readonly ScopeDefinition[],
): Key[] => scopes.map((scope) => keys.lease(organizationId, connectionId, scope.name));

/** Turns leases into tombstones, which no worker can take. */
export const buryLeases = (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopes: readonly ScopeDefinition[],
): Promise<void> =>
  forEachConcurrent(leaseKeys(organizationId, connectionId, scopes), TABLE_LIMITS.tableParallelMax, async (lease) => {
    await table.update(lease, { set: { tombstone: true }, add: { fence: 1 } });
  });

/**
 * Ends the purge: deletes the tombstones and the purge item, which are the only remaining items. If another worker ended
 * the purge, nothing is left to do.
 */
export const end = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopes: readonly ScopeDefinition[],
): Promise<void> => {
  await table.batchWrite({ removes: leaseKeys(organizationId, connectionId, scopes) });
  try {
    await audit.commit(
      [{ remove: keys.purge(organizationId, connectionId), if: 'attribute_exists(pk)' }],
      audit.newEvent({ organizationId, action: 'connection.purged', targetId: connectionId }, BY_SERVICE),
    );
  } catch (error) {
    if (!(error instanceof ConditionRefused)) throw error;
  }
};

const PAGE = 1_000;

/** Deletes the wanted items of a partition. Returns true if none of them is left. */
export const deletePartition = async (
  pk: string,
  wanted: (sk: string) => boolean,
  hasTime: () => boolean,
): Promise<boolean> => {
  for (;;) {
    const items = (await table.query(pk, { attributes: ['pk', 'sk'], limit: PAGE })).filter(({ sk }) => wanted(sk));
    if (items.length === 0) return true;
    if (!hasTime()) return false;
    await table.batchWrite({ removes: items });
  }
};
