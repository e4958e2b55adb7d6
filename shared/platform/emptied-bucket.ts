/**
 * Empties a bucket before its deletion, because CloudFormation deletes no bucket with objects in it (AWS
 * documentation).
 */
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { objectClient } from './object-client.ts';

/** Some objects of a list were not deleted. S3 may delete only part of a list without reporting a failed request. */
class NotRemoved extends AppError {
  constructor(count: number, code: string | undefined) {
    super(`${count} files could not be removed, the first with ${code}`);
  }
}

/** The bucket has more objects than one invocation can remove. The next invocation removes the remaining objects. */
class NotEmptiedYet extends AppError {
  constructor(bucket: string, count: number) {
    super(`${count} objects of ${bucket} are removed and more are left: delete the stack again`);
  }
}

/** Removes up to 1,000 objects. Returns the number of objects that the bucket listed. */
const removeSome = async (bucket: string): Promise<number> => {
  const { Contents = [] } = await objectClient().send(
    new ListObjectsV2Command({ Bucket: bucket, MaxKeys: PLATFORM_LIMITS.objectsRemovedAtOnceMax }),
  );
  if (Contents.length === 0) return 0;
  const { Errors = [] } = await objectClient().send(
    new DeleteObjectsCommand({
      Bucket: bucket,
      Delete: { Objects: Contents.map(({ Key }) => ({ Key: Key! })), Quiet: true },
    }),
  );
  if (Errors.length > 0) throw new NotRemoved(Errors.length, Errors[0]?.Code);
  return Contents.length;
};

/**
 * Removes every object of a bucket without versioning. A bucket that somebody has already deleted has no objects.
 * @param hasTime called before each batch of 1,000
 * @returns number of removed objects
 * @throws NotRemoved
 * @throws NotEmptiedYet if the time is over
 * @throws the S3 error if the bucket may not be listed
 */
export const emptyBucket = async (bucket: string, hasTime: () => boolean): Promise<number> => {
  let count = 0;
  try {
    for (;;) {
      const removed = await removeSome(bucket);
      if (removed === 0) return count;
      count += removed;
      if (!hasTime()) throw new NotEmptiedYet(bucket, count);
    }
  } catch (error) {
    if ((error as Error).name === 'NoSuchBucket') return count;
    throw error;
  }
};
