/** Due items in numbers: scopes that wait in their queue, items of an unknown kind, and one run whose message is lost. */
import { randomUUID } from 'node:crypto';
import { nowIso, nowMs } from '#shared/platform/clock.ts';
import { newId } from '#shared/platform/ids.ts';
import * as runs from '#shared/sync/run/run.store.ts';
import { queuedRun } from '#shared/sync/start-run.ts';
import { newTask } from '#shared/sync/task/task.rules.ts';
import { putTask } from '#shared/sync/task/task.store.ts';
import { dueIn } from '#shared/table/due-index.ts';
import { DUE_SHARDS } from '#shared/table/due-keys.ts';
import { keys } from '#shared/table/keys.ts';
import * as table from '#shared/table/table.ts';

const GRACE_MS = 60_000;

const putOf = (item: table.TransactItem): table.Item => {
  if (!('put' in item)) throw new Error('a new task is a put');
  return item.put;
};

/** Stores scopes whose message was just sent to the queue of `tax.rcv`. */
export const storeWaiting = async (organizationId: string, count: number): Promise<void> => {
  const puts = Array.from({ length: count }, () => {
    const connection = { id: randomUUID(), organizationId, source: 'tax' };
    const request = { runId: newId(), scopes: ['rcv'], inputMetadata: {}, trigger: 'manual' } as const;
    const run = { ...queuedRun(connection as never, { ...request, scopes: ['rcv'] }), status: 'running' as const };
    const task = newTask({ ...connection, connectionId: connection.id, runId: run.id, scope: 'rcv' }, nowMs());
    const stored = { ...keys.run(organizationId, connection.id, run.id), ...runs.runItem.toItem(run) };
    return [stored, putOf(putTask(task, GRACE_MS))];
  });
  await table.batchWrite({ puts: puts.flat() });
};

/** Stores items that this version does not know, `count` in each shard. */
export const storeStuck = async (organizationId: string, count: number): Promise<void> => {
  const left = new Map(Array.from({ length: DUE_SHARDS }, (_, n) => [`DUE#${n}`, count]));
  const puts: table.Item[] = [];
  while (puts.length < count * DUE_SHARDS) {
    const key = { pk: `ORG#${organizationId}#FUTURE#${randomUUID()}`, sk: 'THING#1' };
    const entry = dueIn(key, GRACE_MS);
    const wanted = left.get(entry.due_pk)!;
    if (wanted === 0) continue;
    left.set(entry.due_pk, wanted - 1);
    puts.push({ ...key, ...entry });
  }
  await table.batchWrite({ puts });
};

/** Stores a queued run whose message was lost. */
export const storeLostRun = async (organizationId: string): Promise<string> => {
  const connection = { id: randomUUID(), organizationId, source: 'tax' };
  const runId = newId();
  const run = queuedRun(connection as never, { runId, scopes: ['rcv'], inputMetadata: {}, trigger: 'manual' });
  const key = keys.run(organizationId, connection.id, runId);
  await table.put({ ...key, ...runs.runItem.toItem({ ...run, createdAt: nowIso() }), ...dueIn(key, GRACE_MS) });
  return runId;
};
