/** The bucket of the dashboard's page: S3 copies its files from where a deployment has put them. */

import { CopyObjectCommand, DeleteObjectsCommand, ListObjectsV2Command } from '@aws-sdk/client-s3';
import { objectClient } from '#shared/platform/object-client.ts';
import { AppError } from '#shared/values/app-error.ts';

interface PageFile {
  key: string;
  asset: string;
  contentType: string;
  cacheControl: string;
}

/** S3 deletes a list in part without failing. */
class NotRemoved extends AppError {
  constructor(count: number, code: string | undefined) {
    super(`${count} files could not be removed, the first with ${code}`);
  }
}

export const put = async (bucket: string, assetBucket: string, file: PageFile): Promise<void> => {
  await objectClient().send(
    new CopyObjectCommand({
      Bucket: bucket,
      Key: file.key,
      CopySource: `${assetBucket}/${file.asset}`,
      // Ours, not what the deployment took the file for.
      MetadataDirective: 'REPLACE',
      ContentType: file.contentType,
      CacheControl: file.cacheControl,
    }),
  );
};

/**
 * Up to a thousand; answers whether there were any.
 * @throws NotRemoved
 */
export const removeSome = async (bucket: string): Promise<boolean> => {
  const { Contents = [] } = await objectClient().send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1_000 }));
  if (Contents.length === 0) return false;
  const { Errors = [] } = await objectClient().send(
    new DeleteObjectsCommand({
      Bucket: bucket,
      Delete: { Objects: Contents.map(({ Key }) => ({ Key: Key! })), Quiet: true },
    }),
  );
  if (Errors.length > 0) throw new NotRemoved(Errors.length, Errors[0]?.Code);
  return true;
};
