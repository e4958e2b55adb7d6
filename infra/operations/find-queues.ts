/** A stage's queue and its dead letters, by the name that the code knows them by. */
import {
  GetQueueAttributesCommand,
  ListQueuesCommand,
  ListQueueTagsCommand,
  QueueDoesNotExist,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import { QUEUE_TAG } from '#infra/constructs/work-queue.ts';
import { pascal } from '#infra/names.ts';
import { SERVICE } from '#shared/platform/metric-catalogue.ts';

export interface Place {
  url: string;
  arn: string;
}

export interface QueuePair {
  work: Place;
  deadLetters: Place;
}

const listAll = async (sqs: SQSClient): Promise<string[]> => {
  const urls: string[] = [];
  let token: string | undefined;
  do {
    const page = await sqs.send(
      new ListQueuesCommand({ QueueNamePrefix: SERVICE, MaxResults: 1_000, ...(token ? { NextToken: token } : {}) }),
    );
    urls.push(...(page.QueueUrls ?? []));
    token = page.NextToken;
  } while (token !== undefined);
  return urls;
};

const nameOf = (url: string): string => url.split('/').at(-1) ?? '';

/** Construct path and hash, as CloudFormation and the local runner name it: `…-data-SyncRequestsQueue0A1B2C3D…`. */
const isNamed = (url: string, stage: string, queue: string): boolean =>
  new RegExp(`^${SERVICE}-${stage}-data-${pascal(queue)}Queue[0-9A-F]{8}`).test(nameOf(url));

/** CloudFormation cuts names of more than 80 characters; the tags say whose queue it is all the same. */
const isTagged = async (sqs: SQSClient, url: string, stage: string, queue: string): Promise<boolean> => {
  const { Tags = {} } = await sqs.send(new ListQueueTagsCommand({ QueueUrl: url }));
  return Tags.stage === stage && Tags[QUEUE_TAG] === queue;
};

const attributesOf = async (sqs: SQSClient, url: string): Promise<{ arn: string; deadLettersArn: string | null }> => {
  const { Attributes = {} } = await sqs.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['QueueArn', 'RedrivePolicy'] }),
  );
  const policy = Attributes.RedrivePolicy;
  const deadLettersArn =
    policy === undefined ? null : (JSON.parse(policy) as Record<string, string>).deadLetterTargetArn;
  return { arn: Attributes.QueueArn ?? '', deadLettersArn: deadLettersArn ?? null };
};

/** @throws QueueDoesNotExist naming the queue and the stage. */
export const findQueuePair = async (sqs: SQSClient, stage: string, queue: string): Promise<QueuePair> => {
  const urls = await listAll(sqs);
  const named = urls.filter((url) => isNamed(url, stage, queue));
  for (const url of named.length > 0 ? named : urls) {
    if (named.length === 0 && !(await isTagged(sqs, url, stage, queue))) continue;
    const { arn, deadLettersArn } = await attributesOf(sqs, url);
    const deadUrl = urls.find((other) => deadLettersArn !== null && nameOf(other) === deadLettersArn.split(':').at(-1));
    // Dead letters have the tags of their queue, and none of their own.
    if (deadLettersArn === null || deadUrl === undefined) continue;
    return { work: { url, arn }, deadLetters: { url: deadUrl, arn: deadLettersArn } };
  }
  throw new QueueDoesNotExist({ message: `stage ${stage} has no queue ${queue} with dead letters`, $metadata: {} });
};
