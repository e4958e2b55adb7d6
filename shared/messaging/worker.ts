/**
 * Wraps the logic of every queue worker. Delivery is at least once: stale and duplicate messages end without an error
 * inside the logic, and an error returns only the message that caused it to the queue (partial batch response). A
 * message that does not parse can never succeed, so it is logged and dropped; the table still has the due item.
 */
import { BatchProcessor, EventType, processPartialResponse } from '@aws-lambda-powertools/batch';
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type * as z from 'zod';
import { withLogFields } from '#shared/platform/log-context.ts';
import type { LogFields } from '#shared/platform/log-fields.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { record } from '#shared/platform/metrics.ts';
import { withPatience } from '#shared/platform/patience.ts';
import { MESSAGING_LIMITS } from './limits.ts';

export interface WorkerContext {
  /** Milliseconds left before the invocation is killed. */
  remainingMs(): number;
}

/** Data that was read ahead for all messages of a batch. */
export interface ReadAhead<A> {
  ahead: A;
}

export type WorkerHandler = (event: SQSEvent, context: Context) => Promise<SQSBatchResponse>;

/**
 * Returns the handler of a queue worker.
 * @param readAhead reads for all messages of a batch at once; if it fails, every message returns to the queue
 */
export const worker = <S extends z.ZodType, A = undefined>(
  operation: string,
  schema: S,
  logic: (message: z.infer<S>, context: WorkerContext & ReadAhead<A>) => Promise<void>,
  readAhead?: (messages: readonly z.infer<S>[]) => Promise<A>,
): WorkerHandler => {
  const processor = new BatchProcessor(EventType.SQS);
  const handle: WorkerHandler = (event, context) => {
    const messages = new Map(event.Records.map((each) => [each, parse(operation, schema, each.body)]));
    const parsed = [...messages.values()].filter((message) => message !== undefined);
    const reading = parsed.length > 0 ? readAhead?.(parsed) : undefined;
    // Prevents an unhandled rejection. Each message later awaits this promise and gets the error.
    reading?.catch(() => {});
    const recordHandler = async (sqsRecord: SQSRecord): Promise<void> => {
      const message = messages.get(sqsRecord);
      if (message === undefined) return;
      const fields = { operation, request_id: context.awsRequestId, ...idsOf(message) };
      await withLogFields(fields, async () => {
        try {
          const ahead = (await reading) as A;
          await logic(message, { remainingMs: () => context.getRemainingTimeInMillis(), ahead });
        } catch (error) {
          log.error('a message failed and goes back to its queue', describeError(error));
          record('MessageFailures', 1, { worker: operation });
          throw error;
        }
      });
    };
    return processPartialResponse(event, recordHandler, processor, { context, throwOnFullBatchFailure: false });
  };
  return async (event, context) => {
    const leftMs = () => context.getRemainingTimeInMillis() - MESSAGING_LIMITS.messageReserveMs;
    return withPatience(leftMs, () => handle(event, context));
  };
};

/** Returns the ids in the message, for every log line about it. */
const idsOf = (message: unknown): LogFields => {
  const ids = message as Record<string, string | undefined>;
  return {
    organization_id: ids.organizationId,
    connection_id: ids.connectionId,
    run_id: ids.runId,
    scope: ids.scope,
    endpoint_id: ids.endpointId,
    delivery_id: ids.deliveryId,
  };
};

const parse = <S extends z.ZodType>(operation: string, schema: S, body: string): z.infer<S> | undefined => {
  try {
    return schema.parse(JSON.parse(body));
  } catch (error) {
    log.error('a message does not parse and is dropped', { operation, ...describeError(error) });
    return undefined;
  }
};
