/**
 * What is left of a deleted connection (architecture.md §5.6). Trigger: a message of `purges`, sent at the delete and by
 * the sweeper while the purge item exists. Every step may be repeated: first each lease becomes a tombstone that no
 * worker can take, then, when no worker of before can be alive, everything is deleted (docs/adr/0020).
 */
import { inParallel } from '#shared/data/batches.ts';
import { keys } from '#shared/data/keys.ts';
import * as rawAnswers from '#shared/data/raw-answers.ts';
import { partitionsOf } from '#shared/data/row-partitions.ts';
import * as table from '#shared/data/table.ts';
import { deleteTenders } from '#shared/data/tender-lists.ts';
import { dueIn } from '#shared/data/works.ts';
import { scheduleName } from '#shared/domain/schedule.ts';
import type { PurgeRequest } from '#shared/messaging/queues.ts';
import { removeSchedule } from '#shared/messaging/schedules.ts';
import { send } from '#shared/messaging/send.ts';
import type { WorkerContext } from '#shared/messaging/worker.ts';
import { nowMs } from '#shared/platform/clock.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { log } from '#shared/platform/logger.ts';
import type { ScopeDefinition } from '#shared/scopes/scope.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';

/** After so long no worker of before the tombstones can put anything. */
const UNTIL_QUIET_MS = LIMITS.lateWriteMs;

export const purgeConnection = async (message: PurgeRequest, context: WorkerContext): Promise<void> => {
  const { organizationId, connectionId } = message;
  const key = keys.purge(organizationId, connectionId);
  const item = await table.get(key);
  if (!item || item.hop !== message.hop) return;
  const scopes = SCOPES.filter(({ source }) => source === item.source);
  const leaseKeys = scopes.map((scope) => keys.lease(organizationId, connectionId, scope.name));

  const advance = async (set: Record<string, unknown>, delayMs: number): Promise<void> => {
    const hop = message.hop + 1;
    await table.update(key, {
      set: { ...set, hop, ...dueIn(key, delayMs + LIMITS.purgeStepMs) },
      if: '#hop = :hop',
      values: { hop: message.hop },
    });
    await send('purges', { organizationId, connectionId, hop }, { delaySeconds: delayMs / 1000 });
  };

  // At each step: a change of the schedule that was under way at the delete may have brought it back.
  await removeSchedule(scheduleName(organizationId, connectionId));
  if (item.tombstones_at_ms === undefined) {
    await inParallel(leaseKeys, LIMITS.tableParallelMax, async (lease) => {
      await table.update(lease, { set: { tombstone: true }, add: { fence: 1 } });
    });
    return advance({ tombstones_at_ms: nowMs() }, UNTIL_QUIET_MS);
  }
  if (nowMs() < item.tombstones_at_ms + UNTIL_QUIET_MS) return;

  const hasTime = (): boolean => context.remainingMs() > LIMITS.invocationMarginMs;
  const isDone = await deleteEverything(organizationId, connectionId, scopes, hasTime);
  if (!isDone) return advance({}, 0);
  await table.batchWrite({ removes: leaseKeys });
  await table.remove(key);
  log.info('a deleted connection was purged', { organization_id: organizationId, connection_id: connectionId });
};

const PAGE = 1_000;

/** Answers whether nothing is left. Leases stay: they are the tombstones. */
const deleteEverything = async (
  organizationId: string,
  connectionId: string,
  scopes: readonly ScopeDefinition[],
  hasTime: () => boolean,
): Promise<boolean> => {
  const own = keys.connectionItems(organizationId, connectionId).pk;
  const leases = new Set(scopes.map((scope) => keys.lease(organizationId, connectionId, scope.name).sk));
  for (const scope of scopes) {
    const partitions = await partitionsOf({ organizationId, connectionId, scope: scope.name }, scope);
    for (const pk of partitions) if (!(await deletePartition(pk, () => true, hasTime))) return false;
  }
  if (!(await deletePartition(own, (sk) => !leases.has(sk), hasTime))) return false;
  if (!(await deleteTenders({ organizationId, connectionId }, hasTime))) return false;
  while (await rawAnswers.deleteSome(organizationId, connectionId)) if (!hasTime()) return false;
  return true;
};

const deletePartition = async (
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
