/**
 * Sends messages. A message is a hint: a failed send is logged, and the sweeper finds due items in the table. No code
 * may depend on the arrival of a message.
 */
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import type * as z from 'zod';
import { MESSAGING_LIMITS } from '#shared/messaging/limits.ts';
import { withoutSdkLogging } from '#shared/platform/aws.ts';
import { bounded } from '#shared/platform/bounded-calls.ts';
import { env } from '#shared/platform/env.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { describeError, log } from '#shared/platform/logger.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { makePatient, waitAtMost, withPatience } from '#shared/platform/patience.ts';
import { type QueueName, scopeQueue } from '#shared/platform/queue-names.ts';
import { QUEUES, TaskMessage } from './queues.ts';

let client: SQSClient | undefined;
export const sqs = (): SQSClient => {
  // The queue's URL contains the region's host, which is the default endpoint. If a local endpoint is set, it must take
  // precedence.
  client ??= makePatient(
    withoutSdkLogging(
      new SQSClient({
        ...bounded(MESSAGING_LIMITS.queueCallMs, PLATFORM_LIMITS.awsAttemptsMax),
        useQueueUrlAsEndpoint: false,
      }),
    ),
  );
  return client;
};

export interface SendOptions {
  /**
   * At most `messageDelaySecondsMax`. For a longer delay, the receiver sends itself another message for the remaining
   * time.
   */
  delaySeconds?: number;
  /** Group of a fair queue, so that a busy group does not delay other groups. */
  groupId?: string;
}

const sendBody = async (queue: string, body: unknown, options: SendOptions): Promise<void> => {
  const delay = Math.min(MESSAGING_LIMITS.messageDelaySecondsMax, Math.max(0, Math.ceil(options.delaySeconds ?? 0)));
  try {
    const command = new SendMessageCommand({
      QueueUrl: `${env(VARIABLES.queueUrlPrefix)}${queue}`,
      MessageBody: JSON.stringify(body),
      DelaySeconds: delay,
      ...(options.groupId === undefined ? {} : { MessageGroupId: options.groupId }),
    });
    await withPatience(waitAtMost(MESSAGING_LIMITS.queueBusyMs), () => sqs().send(command));
  } catch (error) {
    log.warn('a message was not sent; the sweeper will find what is due', {
      operation: `send:${queue}`,
      ...describeError(error),
    });
  }
};

export const send = async <Q extends QueueName>(
  queue: Q,
  message: z.infer<(typeof QUEUES)[Q]>,
  options: SendOptions = {},
): Promise<void> => sendBody(queue, QUEUES[queue].parse(message), options);

/**
 * Sends to the queue of one scope of a source. The message names source and scope, because all scopes share the
 * dead-letter queue.
 */
export const sendTask = async (
  source: string,
  scope: string,
  message: TaskMessage,
  options: SendOptions = {},
): Promise<void> => sendBody(scopeQueue(source, scope), TaskMessage.parse({ ...message, source, scope }), options);
