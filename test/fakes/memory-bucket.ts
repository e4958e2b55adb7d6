/** S3 in this process: the objects of all buckets are in one map. */
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { mockAwsClient } from '#test/fakes/aws-client.ts';

export interface MemoryBucket {
  /** By key. */
  objects: Map<string, Buffer>;
  /** Number of objects that were read so far. */
  reads(): number;
  restore(): void;
}

/** @param before runs before each read and put of an object, and may throw */
export const memoryBucket = (before: (call: string) => void = () => undefined): MemoryBucket => {
  process.env.RAW_BUCKET_NAME = 'raw';
  process.env.DOCUMENT_BUCKET_NAME = 'documents';
  const objects = new Map<string, Buffer>();
  let reads = 0;
  const s3 = mockAwsClient(S3Client);
  s3.on(PutObjectCommand).callsFake(async ({ Key, Body }) => {
    before('PutObjectCommand');
    objects.set(Key, Buffer.from(Body));
    return {};
  });
  s3.on(GetObjectCommand).callsFake(async ({ Key }) => {
    before('GetObjectCommand');
    const object = objects.get(Key);
    if (!object) throw Object.assign(new Error('no such key'), { name: 'NoSuchKey' });
    reads++;
    return { Body: { transformToByteArray: async () => object } } as never;
  });
  s3.on(ListObjectsV2Command).callsFake(async ({ Prefix }) => ({
    Contents: [...objects.keys()].filter((key) => key.startsWith(Prefix)).map((Key) => ({ Key })),
  }));
  s3.on(DeleteObjectsCommand).callsFake(async ({ Delete }) => {
    for (const { Key } of Delete.Objects) objects.delete(Key);
    return {};
  });
  return { objects, reads: () => reads, restore: () => s3.restore() };
};
