/** Whether a queue is slow: so many messages wait that one which has not arrived is probably among them. */
import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { env } from '#shared/platform/env.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';
import { sqs } from './send.ts';

/** Returns the approximate number of messages that wait; 0 if SQS does not say. */
const countWaiting = async (queue: string): Promise<number> => {
  try {
    const { Attributes } = await sqs().send(
      new GetQueueAttributesCommand({
        QueueUrl: `${env(VARIABLES.queueUrlPrefix)}${queue}`,
        AttributeNames: ['ApproximateNumberOfMessages'],
      }),
    );
    return Number(Attributes?.ApproximateNumberOfMessages ?? 0);
  } catch (error) {
    log.warn('the length of a queue is unknown', { operation: `measure:${queue}`, ...describeError(error) });
    return 0;
  }
};

export type SlowQueues = (source: string, scope: string) => Promise<boolean>;

/** Returns a function that asks once for each queue. */
export const measureQueues = (): SlowQueues => {
  const asked = new Map<string, Promise<boolean>>();
  return (source, scope) => {
    const queue = scopeQueue(source, scope);
    const known = asked.get(queue) ?? countWaiting(queue).then((count) => count >= MESSAGING_LIMITS.slowQueueMessages);
    asked.set(queue, known);
    return known;
  };
};
