/** CloudFormation deletes no bucket with anything in it (AWS's documents): what is there goes first. */
import { DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { AppError } from '#shared/values/app-error.ts';
import { objectClient } from './object-client.ts';

/** S3 deletes a list in part without failing. */
class NotRemoved extends AppError {
  constructor(count: number, code: string | undefined) {
    super(`${count} files could not be removed, the first with ${code}`);
  }
}

/** More than one invocation can remove; what is gone is gone, and the next goes on from there. */
class NotEmptiedYet extends AppError {
  constructor(bucket: string, count: number) {
    super(`${count} objects of ${bucket} are removed and more are left: delete the stack again`);
  }
}

/** Up to a thousand; answers how many there were. */
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
 * Removes every object of a bucket that keeps no versions. One that somebody deleted by hand has none.
 * @param hasTime asked before each thousand
 * @returns how many were removed
 * @throws NotRemoved; NotEmptiedYet when the time is up; S3's own error when it may not be listed
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
