/** Finds a stage's queues and dead-letter queues by the names that the stacks give them. */
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  QueueDoesNotExist,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { ALL_SCOPES, deadLettersName, queueName, queuePrefix } from '#infra/names.ts';
import { TaskMessage } from '#shared/messaging/queues.ts';
import { scopeQueue } from '#shared/platform/queue-names.ts';

export interface FoundQueue {
  url: string;
  arn: string;
}

export interface QueuePair {
  work: FoundQueue;
  deadLetters: FoundQueue;
}

/** A dead-letter queue that several queues share. */
export interface SharedDeadLetters {
  deadLetters: FoundQueue;
  /** Resolves with the queue from which the message came, or with the reason why the message must stay. */
  sourceOf(message: Message): Promise<Pick<FoundQueue, 'url'> | { stays: string }>;
}

// SQS uses two names for this error: one with and one without the namespace of its older protocol.
const isMissing = (error: unknown): boolean => /QueueDoesNotExist|NonExistentQueue/.test((error as Error).name);

const urlOf = async (sqs: SQSClient, name: string): Promise<string> => {
  const { QueueUrl = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  return QueueUrl;
};

const placeOf = async (sqs: SQSClient, name: string): Promise<FoundQueue> => {
  const url = await urlOf(sqs, name);
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  return { url, arn: Attributes.QueueArn ?? '' };
};

const named = async <T>(finding: Promise<T>, stage: string, queue: string): Promise<T> => {
  try {
    return await finding;
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new QueueDoesNotExist({ message: `stage ${stage} has no queue ${queue} with dead letters`, $metadata: {} });
  }
};

/**
 * Resolves with a queue and its dead-letter queue. @throws QueueDoesNotExist with the names of the queue and the stage
 */
export const findQueuePair = (sqs: SQSClient, stage: string, queue: string): Promise<QueuePair> => {
  const find = async (): Promise<QueuePair> => ({
    work: await placeOf(sqs, queueName(stage, queue)),
    deadLetters: await placeOf(sqs, deadLettersName(stage, queue)),
  });
  return named(find(), stage, queue);
};

const taskOf = (body: string | undefined): TaskMessage | null => {
  try {
    return TaskMessage.parse(JSON.parse(body ?? ''));
  } catch {
    return null;
  }
};

/**
 * Returns the name of the queue from which the message came. SQS reports it in an attribute (AWS's documents); without
 * the attribute the message's content names the queue. Returns null when both are unknown.
 */
const sourceName = (stage: string, { Attributes, Body }: Message): string | null => {
  const arn = Attributes?.DeadLetterQueueSourceArn;
  if (arn !== undefined) return arn.split(':').at(-1) ?? null;
  const { source, scope } = taskOf(Body) ?? {};
  return source === undefined || scope === undefined ? null : queueName(stage, scopeQueue(source, scope));
};

/** Resolves with the dead-letter queue that all scopes share. @throws QueueDoesNotExist with the name of the stage */
export const findSharedDeadLetters = async (sqs: SQSClient, stage: string): Promise<SharedDeadLetters> => {
  const deadLetters = await named(placeOf(sqs, deadLettersName(stage, ALL_SCOPES)), stage, ALL_SCOPES);
  const sourceOf: SharedDeadLetters['sourceOf'] = async (message) => {
    const name = sourceName(stage, message);
    if (name === null) return { stays: 'does not say which queue it came from' };
    if (!name.startsWith(queuePrefix(stage))) return { stays: `came from ${name}, which is not of stage ${stage}` };
    try {
      return { url: await urlOf(sqs, name) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      return { stays: `came from ${name}, which does not exist any more` };
    }
  };
  return { deadLetters, sourceOf };
};
