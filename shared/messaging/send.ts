/**
 * Sending of messages. A message is a hint: a send that fails is logged and left to the sweeper, who finds what is due
 * in the table. Nothing may depend on a message having arrived.
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
import { type QueueName, scopeQueue } from '#shared/platform/queue-names.ts';
import { QUEUES, TaskMessage } from './queues.ts';

let client: SQSClient | undefined;
const sqs = (): SQSClient => {
  // The queue's URL names the region's own host, which is the endpoint anyway; a local one must win over it.
  client ??= withoutSdkLogging(
    new SQSClient({
      ...bounded(MESSAGING_LIMITS.queueCallMs, PLATFORM_LIMITS.awsAttemptsMax),
      useQueueUrlAsEndpoint: false,
    }),
  );
  return client;
};

export interface SendOptions {
  /** Longer delays go in steps: the receiver sends itself a message for the rest. */
  delaySeconds?: number;
  /** Fair queue: a busy group does not hold up the others. */
  groupId?: string;
}

const sendBody = async (queue: string, body: unknown, options: SendOptions): Promise<void> => {
  const delay = Math.min(MESSAGING_LIMITS.messageDelaySecondsMax, Math.max(0, Math.ceil(options.delaySeconds ?? 0)));
  try {
    await sqs().send(
      new SendMessageCommand({
        QueueUrl: `${env(VARIABLES.queueUrlPrefix)}${queue}`,
        MessageBody: JSON.stringify(body),
        DelaySeconds: delay,
        ...(options.groupId === undefined ? {} : { MessageGroupId: options.groupId }),
      }),
    );
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

/** To the queue of one scope of a source. The message names both, for it may end among dead letters of all scopes. */
export const sendTask = async (
  source: string,
  scope: string,
  message: TaskMessage,
  options: SendOptions = {},
): Promise<void> => sendBody(scopeQueue(source, scope), TaskMessage.parse({ ...message, source, scope }), options);
