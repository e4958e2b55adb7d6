/**
 * Moves dead letters back to the queue from which they came. No message is lost, because SQS moves it, or this module
 * sends it before deleting it. After a crash between sending and deleting, the message is in both queues; workers
 * accept duplicates.
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
import type { FoundQueue, QueuePair, SharedDeadLetters } from './find-queues.ts';

export type DeadLetters = QueuePair | SharedDeadLetters;

export interface MoveResult {
  by: 'StartMessageMoveTask' | 'hand';
  before: number;
  moved: number;
  /** Number of messages that are still dead letters, including hidden messages. */
  left: number;
  /**
   * Reason why messages were not moved → number of these messages. It is empty if SQS's move task moved the messages.
   */
  stayed: ReadonlyMap<string, number>;
  /**
   * The reason why SQS's move task failed, after which the remaining messages were moved one by one; null when no task
   * failed.
   */
  failure: string | null;
}

const POLL_MS = 1_000;
/**
 * Time for which a received message is hidden from other consumers. After this time it is a dead letter again, unless
 * it was deleted.
 */
const HOLD_SECONDS = 60;
const BATCH_MESSAGES = 10;

/**
 * Resolves with the number of messages in a queue, including hidden messages. On AWS the number is approximate for
 * about a minute after the last change.
 */
export const countMessages = async (sqs: SQSClient, { url }: FoundQueue): Promise<number> => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({
      QueueUrl: url,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return Number(Attributes.ApproximateNumberOfMessages) + Number(Attributes.ApproximateNumberOfMessagesNotVisible);
};

class MoveTaskFailed extends Error {
  readonly moved: number;

  constructor(moved: number, reason: string | undefined) {
    super(`the move task failed: ${reason ?? 'no reason given'}`);
    this.name = 'MoveTaskFailed';
    this.moved = moved;
  }
}

/**
 * Moves messages with SQS's move task. Without a destination, SQS moves each message to the queue from which it came
 * (AWS's documents).
 *
 * @returns number of moved messages; null when the service does not know move tasks (fauxqs)
 * @throws MoveTaskFailed
 */
const moveByTask = async (sqs: SQSClient, from: DeadLetters): Promise<number | null> => {
  const { arn: SourceArn } = from.deadLetters;
  const to = 'work' in from ? { DestinationArn: from.work.arn } : {};
  try {
    await sqs.send(new StartMessageMoveTaskCommand({ SourceArn, ...to }));
  } catch (error) {
    if (/InvalidAction|UnknownOperation|UnsupportedOperation/.test((error as Error).name)) return null;
    throw error;
  }
  for (;;) {
    const { Results = [] } = await sqs.send(new ListMessageMoveTasksCommand({ SourceArn, MaxResults: 1 }));
    const [task] = Results;
    const moved = task?.ApproximateNumberOfMessagesMoved ?? 0;
    if (task?.Status === 'FAILED') throw new MoveTaskFailed(moved, task.FailureReason);
    if (task?.Status !== 'RUNNING') return moved;
    await sleep(POLL_MS);
  }
};

const requeue = async (sqs: SQSClient, deadLetters: FoundQueue, message: Message, url: string): Promise<void> => {
  const group = message.Attributes?.MessageGroupId;
  await sqs.send(
    new SendMessageCommand({
      QueueUrl: url,
      MessageBody: message.Body,
      ...(message.MessageAttributes ? { MessageAttributes: message.MessageAttributes } : {}),
      ...(group === undefined ? {} : { MessageGroupId: group }),
    }),
  );
  await sqs.send(new DeleteMessageCommand({ QueueUrl: deadLetters.url, ReceiptHandle: message.ReceiptHandle }));
};

/**
 * Moves messages one by one, but at most `before` messages. Without this limit, a message that fails again at once
 * could be moved forever.
 */
const moveByHand = async (
  sqs: SQSClient,
  from: DeadLetters,
  before: number,
): Promise<Pick<MoveResult, 'moved' | 'stayed'>> => {
  const { deadLetters } = from;
  const stayed = new Map<string, number>();
  // Ids of messages that stay; SQS delivers each of them again after `HOLD_SECONDS`.
  const kept = new Set<string | undefined>();
  let moved = 0;
  while (moved + kept.size < before) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: deadLetters.url,
        MaxNumberOfMessages: Math.min(BATCH_MESSAGES, before - moved - kept.size),
        VisibilityTimeout: HOLD_SECONDS,
        WaitTimeSeconds: 1,
        MessageAttributeNames: ['All'],
        MessageSystemAttributeNames: ['MessageGroupId', 'DeadLetterQueueSourceArn'],
      }),
    );
    const fresh = Messages.filter(({ MessageId }) => !kept.has(MessageId));
    if (fresh.length === 0) break;
    for (const message of fresh) {
      const to = 'work' in from ? from.work : await from.sourceOf(message);
      if ('stays' in to) {
        stayed.set(to.stays, (stayed.get(to.stays) ?? 0) + 1);
        kept.add(message.MessageId);
      } else {
        await requeue(sqs, deadLetters, message, to.url);
        moved++;
      }
    }
  }
  return { moved, stayed };
};

/**
 * Moves messages with SQS's move task. `failure` is set if the task failed, for example because it met a deleted queue.
 * Returns null when the service does not know move tasks; in both cases the remaining messages must be moved one by
 * one.
 */
const movedByTask = async (
  sqs: SQSClient,
  from: DeadLetters,
): Promise<{ moved: number; failure: string | null } | null> => {
  try {
    const moved = await moveByTask(sqs, from);
    return moved === null ? null : { moved, failure: null };
  } catch (error) {
    if (!(error instanceof MoveTaskFailed) || 'work' in from) throw error;
    return { moved: error.moved, failure: error.message };
  }
};

/**
 * Moves the dead letters. @throws errors of SQS; a message that was received before the error is a dead letter again
 * after a minute
 */
export const moveDeadLetters = async (sqs: SQSClient, from: DeadLetters): Promise<MoveResult> => {
  const before = await countMessages(sqs, from.deadLetters);
  const task = await movedByTask(sqs, from);
  const rest = task?.failure === null ? null : await moveByHand(sqs, from, before - (task?.moved ?? 0));
  return {
    by: rest === null ? 'StartMessageMoveTask' : 'hand',
    before,
    moved: (task?.moved ?? 0) + (rest?.moved ?? 0),
    left: await countMessages(sqs, from.deadLetters),
    stayed: rest?.stayed ?? new Map(),
    failure: task?.failure ?? null,
  };
};
