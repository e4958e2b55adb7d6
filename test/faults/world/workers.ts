/**
 * The real handlers, as the platform calls them. Only `sync-scope` is assembled here, because it is built per source.
 */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { handler as deliverWebhook } from '#functions/workers/deliver-webhook/handler.ts';
import { handler as dispatchSync } from '#functions/workers/dispatch-sync/handler.ts';
import { handler as purgeConnection } from '#functions/workers/purge-connection/handler.ts';
import { handler as sweep } from '#functions/workers/sweep/handler.ts';
import type { WorkerHandler } from '#shared/messaging/worker.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';
import { SCOPES } from '#shared/scopes/scopes.gen.ts';
import { makeScopeWorker } from '#shared/sync/scope-worker.ts';
import type { Invocation } from '../machine/invocations.ts';
import type { Machine } from '../machine/machine.ts';
import type { Handler, QueuedMessage } from '../machine/queues.ts';
import { virtual } from '../machine/virtual-process.ts';
import type { Institution } from './institution.ts';
import { TIMEOUT_MS } from './timeouts.ts';

export { sweep };

const eventOf = (messages: readonly QueuedMessage[]): SQSEvent =>
  ({
    Records: messages.map(({ id, body }) => ({
      messageId: id,
      body,
      receiptHandle: id,
      eventSource: 'aws:sqs',
      attributes: {},
      messageAttributes: {},
    })),
  }) as never;

const contextOf = (invocation: Invocation): Context =>
  ({
    getRemainingTimeInMillis: () => invocation.deadlineMs - virtual.nowMs,
    awsRequestId: String(invocation.id),
  }) as never;

/** Returns the handler of each queue's messages. */
export const handlersOf = (machine: Machine, institution: Institution) => {
  const { adapter } = institution;
  const byQueue = new Map<string, { name: string; handler: WorkerHandler }>([
    ['sync-requests', { name: 'dispatch-sync', handler: dispatchSync }],
    ['webhook-deliveries', { name: 'deliver-webhook', handler: deliverWebhook }],
    ['purges', { name: 'purge-connection', handler: purgeConnection }],
  ]);
  // The message of a logout goes to the source's first scope, even if the connection does not synchronize that scope.
  for (const scope of SCOPES.filter(({ source }) => source === adapter.manifest.code))
    byQueue.set(scopeQueue(scope.source, scope.name), {
      name: 'sync-scope',
      handler: makeScopeWorker(adapter, () => scope),
    });
  return (queue: string): Handler => {
    const found = byQueue.get(queue);
    if (!found) throw new Error(`no handler for queue ${queue}`);
    return async (messages) => {
      const end = await machine.invoke(found.name, TIMEOUT_MS[found.name]!, (invocation) =>
        found.handler(eventOf(messages), contextOf(invocation)),
      );
      if (end.died) return end;
      const failures = (end.value as SQSBatchResponse | undefined)?.batchItemFailures ?? [];
      const back =
        end.error === undefined ? failures.map(({ itemIdentifier }) => itemIdentifier) : messages.map(({ id }) => id);
      return { died: false, failed: new Set(back) };
    };
  };
};
