/**
 * Dead letters back to their queue. A message is never lost: SQS moves it, or it is sent before it is deleted, so that
 * whatever dies in between leaves it twice, which workers expect anyway.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ListMessageMoveTasksCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';
import type { Place, QueuePair } from './find-queues.ts';

export interface Moved {
  by: 'StartMessageMoveTask' | 'hand';
  before: number;
  moved: number;
  /** Still among the dead letters, hidden ones included. */
  left: number;
}

const POLL_MS = 1_000;
/** Hidden from others meanwhile; afterwards it is a dead letter again. */
const HOLD_SECONDS = 60;
const BATCH_MESSAGES = 10;

/** What a queue holds, hidden messages included. On AWS approximate for about a minute after the last change. */
export const depthOf = async (sqs: SQSClient, { url }: Place): Promise<number> => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible);
};

/** Answers how many were moved; null where the service does not know move tasks (fauxqs). */
const moveByTask = async (sqs: SQSClient, { work, deadLetters }: QueuePair): Promise<number | null> => {
  try {
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn: deadLetters.arn, DestinationArn: work.arn }));
  } catch (error) {
    if (/InvalidAction|UnknownOperation|UnsupportedOperation/.test((error as Error).name)) return null;
    throw error;
  }
  for (;;) {
    const { Results = [] } = await sqs.send(
      new ListMessageMoveTasksCommand({ SourceArn: deadLetters.arn, MaxResults: 1 }),
    );
    const [task] = Results;
    if (task?.Status === 'FAILED') throw new Error(`the move task failed: ${task.FailureReason ?? 'no reason given'}`);
    if (task?.Status !== 'RUNNING') return task?.ApproximateNumberOfMessagesMoved ?? 0;
    await sleep(POLL_MS);
  }
};

const requeue = async (sqs: SQSClient, { work, deadLetters }: QueuePair, message: Message): Promise<void> => {
  const group = message.Attributes?.MessageGroupId;
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: work.url,
      MessageBody: message.Body,
      ...(message.MessageAttributes ? { MessageAttributes: message.MessageAttributes } : {}),
      ...(group === undefined ? {} : { MessageGroupId: group }),
    }),
  );
  await sqs.send(new DeleteMessageCommand({ QueueUrl: deadLetters.url, ReceiptHandle: message.ReceiptHandle }));
};

/** No more than there were: one that fails again at once would go round for ever. */
const moveByHand = async (sqs: SQSClient, pair: QueuePair, before: number): Promise<number> => {
  let moved = 0;
  while (moved < before) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: pair.deadLetters.url,
        MaxNumberOfMessages: Math.min(BATCH_MESSAGES, before - moved),
        VisibilityTimeout: HOLD_SECONDS,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['MessageGroupId'],
      }),
    );
    if (Messages.length === 0) return moved;
    for (const message of Messages) {
      await requeue(sqs, pair, message);
      moved++;
    }
  }
  return moved;
};

/** @throws what SQS throws; a message in hand by then is a dead letter again after a minute. */
export const moveDeadLetters = async (sqs: SQSClient, pair: QueuePair): Promise<Moved> => {
  const before = await depthOf(sqs, pair.deadLetters);
  const byTask = await moveByTask(sqs, pair);
  const moved = byTask ?? (await moveByHand(sqs, pair, before));
  const by = byTask === null ? 'hand' : 'StartMessageMoveTask';
  return { by, before, moved, left: await depthOf(sqs, pair.deadLetters) };
};
