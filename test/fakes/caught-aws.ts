/** Queues and buckets in this process: messages are caught with their due times, objects are stored in a map. */
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { VARIABLES } from '#shared/platform/needs.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';
import { memoryBucket } from '#test/fakes/memory-bucket.ts';

export interface CaughtMessage {
  queue: string;
  body: Record<string, unknown>;
  dueMs: number;
}

export interface CaughtAws {
  /** In the order of sending. */
  messages: CaughtMessage[];
  /** Objects of both buckets, by key. */
  objects: Map<string, Buffer>;
  restore(): void;
}

export const catchAws = (nowMs: () => number): CaughtAws => {
  process.env[VARIABLES.queueUrlPrefix] = 'http://127.0.0.1/';

  const messages: CaughtMessage[] = [];
  const sqs = mockAwsClient(SQSClient);
  sqs.on(SendMessageCommand).callsFake(async ({ QueueUrl, MessageBody, DelaySeconds = 0 }) => {
    const dueMs = nowMs() + DelaySeconds * 1000;
    messages.push({ queue: String(QueueUrl).split('/').at(-1)!, body: JSON.parse(MessageBody), dueMs });
    return {};
  });

  sqs.on(GetQueueAttributesCommand).callsFake(async ({ QueueUrl }) => {
    const own = messages.filter(({ queue }) => queue === String(QueueUrl).split('/').at(-1));
    return { Attributes: { ApproximateNumberOfMessages: String(own.length) } };
  });

  const bucket = memoryBucket();
  return {
    messages,
    objects: bucket.objects,
    restore: () => {
      sqs.restore();
      bucket.restore();
    },
  };
};
