/** Queues and buckets in this process: messages are caught with their due times, objects are stored in a map. */
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { VARIABLES } from '#shared/platform/needs.ts';
import { mockAwsClient } from '#test/fakes/aws-client.ts';

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
  process.env.RAW_BUCKET_NAME = 'raw';
  process.env.DOCUMENT_BUCKET_NAME = 'documents';
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

  const objects = new Map<string, Buffer>();
  const s3 = mockAwsClient(S3Client);
  s3.on(PutObjectCommand).callsFake(async ({ Key, Body }) => {
    objects.set(Key, Buffer.from(Body));
    return {};
  });
  s3.on(GetObjectCommand).callsFake(async ({ Key }) => {
    const object = objects.get(Key);
    if (!object) throw Object.assign(new Error('no such key'), { name: 'NoSuchKey' });
    return { Body: { transformToByteArray: async () => object } } as never;
  });
  s3.on(ListObjectsV2Command).callsFake(async ({ Prefix }) => ({
    Contents: [...objects.keys()].filter((key) => key.startsWith(Prefix)).map((Key) => ({ Key })),
  }));
  s3.on(DeleteObjectsCommand).callsFake(async ({ Delete }) => {
    for (const { Key } of Delete.Objects) objects.delete(Key);
    return {};
  });

  return {
    messages,
    objects,
    restore: () => {
      sqs.restore();
      s3.restore();
    },
  };
};
