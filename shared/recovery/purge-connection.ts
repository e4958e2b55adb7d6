/**
 * Purges the data of a deleted connection (architecture.md §5.6). Trigger: a message of the queue `purges`, sent at the
 * delete and by the sweeper while the purge item exists. Every step may be repeated. First, each lease becomes a
 * tombstone that no worker can take, and the organization's feed reports the deletion. Once no earlier worker can be
 * running any more, everything is deleted (docs/adr/0020).
 */

import { scheduleName } from '#shared/connections/schedule.rules.ts';
import { removeSchedule } from '#shared/connections/scheduler.client.ts';
import type { PurgeRequest } from '#shared/messaging/queues.ts';
import { send } from '#shared/messaging/send.ts';
import type { WorkerContext } from '#shared/messaging/worker.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { log } from '#shared/platform/logger.ts';
import { announceDeletedConnection } from '#shared/rows/index/announce-scope.store.ts';
import { findPartitions } from '#shared/rows/index/row-partition.store.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { SYNC_LIMITS } from '#shared/sync/limits.ts';
import * as rawAnswers from '#shared/sync/reading/raw-answer.store.ts';
import { keys } from '#shared/table/keys.ts';
import { TABLE_LIMITS } from '#shared/table/limits.ts';
import { deleteTenders } from '#shared/tenders/tender-purge.store.ts';
import type { ConnectionId, OrganizationId } from '#shared/values/ids.ts';
import * as purges from './purge.store.ts';

/** Once this time has passed since the tombstones were written, no earlier worker can write anything. */
const UNTIL_QUIET_MS = TABLE_LIMITS.lateWriteMs;

export const purgeConnection = async (message: PurgeRequest, context: WorkerContext): Promise<void> => {
  const { organizationId, connectionId } = message;
  const purge = await purges.find(organizationId, connectionId);
  if (!purge || purge.generation !== message.generation) return;
  const scopes = SCOPES.filter(({ source }) => source === purge.source);

  const advance = async (tombstonesAtMs: number | null, delayMs: number): Promise<void> => {
    const generation = await purges.advance(purge, tombstonesAtMs, delayMs);
    await send('purges', { organizationId, connectionId, generation }, { delaySeconds: delayMs / 1000 });
  };

  // The removal is repeated at each step, because a change of the schedule that was in flight during the delete may
  // have created the schedule again.
  await removeSchedule(scheduleName(organizationId, connectionId));
  if (purge.tombstonesAtMs === null) {
    await purges.buryLeases(organizationId, connectionId, scopes);
    const names = scopes.map(({ name }) => name);
    await announceDeletedConnection(organizationId, connectionId, names);
    return advance(nowMs(), UNTIL_QUIET_MS);
  }
  if (nowMs() < purge.tombstonesAtMs + UNTIL_QUIET_MS) return;

  const hasTime = (): boolean => context.remainingMs() > SYNC_LIMITS.invocationMarginMs;
  const isDone = await deleteEverything(organizationId, connectionId, scopes, hasTime);
  if (!isDone) return advance(null, 0);
  await purges.end(organizationId, connectionId, scopes);
  log.info('a deleted connection was purged', { organization_id: organizationId, connection_id: connectionId });
};

/** Deletes everything except leases, which are the tombstones. Returns true if nothing else is left. */
const deleteEverything = async (
  organizationId: OrganizationId,
  connectionId: ConnectionId,
  scopes: readonly ScopeDefinition[],
  hasTime: () => boolean,
): Promise<boolean> => {
  const own = keys.connectionItems(organizationId, connectionId).pk;
  const leases = new Set(purges.leaseKeys(organizationId, connectionId, scopes).map(({ sk }) => sk));
  for (const scope of scopes) {
    const partitions = await findPartitions({ organizationId, connectionId, scope: scope.name }, scope);
    for (const pk of partitions) if (!(await purges.deletePartition(pk, () => true, hasTime))) return false;
  }
  if (!(await purges.deletePartition(own, (sk) => !leases.has(sk), hasTime))) return false;
  if (!(await deleteTenders({ organizationId, connectionId }, hasTime))) return false;
  while (await rawAnswers.deleteSome(organizationId, connectionId)) if (!hasTime()) return false;
  return true;
};
