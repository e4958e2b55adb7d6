/** A stage's queue and its dead letters, by the name that the code knows them by. */
import { GetQueueAttributesCommand, GetQueueUrlCommand, QueueDoesNotExist, type SQSClient } from '@aws-sdk/client-sqs';
import { deadLettersName, queueName } from '#infra/names.ts';

export interface Place {
  url: string;
  arn: string;
}

export interface QueuePair {
  work: Place;
  deadLetters: Place;
}

const placeOf = async (sqs: SQSClient, name: string): Promise<Place> => {
  const { QueueUrl: url = '' } = await sqs.send(new GetQueueUrlCommand({ QueueName: name }));
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn'] }),
  );
  return { url, arn: Attributes.QueueArn ?? '' };
};

/** @throws QueueDoesNotExist naming the queue and the stage. */
export const findQueuePair = async (sqs: SQSClient, stage: string, queue: string): Promise<QueuePair> => {
  try {
    return {
      work: await placeOf(sqs, queueName(stage, queue)),
      deadLetters: await placeOf(sqs, deadLettersName(stage, queue)),
    };
  } catch (error) {
    // SQS names it in two ways, with and without the namespace of its older protocol.
    if (!/QueueDoesNotExist|NonExistentQueue/.test((error as Error).name)) throw error;
    throw new QueueDoesNotExist({ message: `stage ${stage} has no queue ${queue} with dead letters`, $metadata: {} });
  }
};
