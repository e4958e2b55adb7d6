/** The bucket of the dashboard's page: S3 copies its files from where a deployment has put them. */

import { CopyObjectCommand } from '@aws-sdk/client-s3';
import { objectClient } from '#shared/platform/object-client.ts';

interface PageFile {
  key: string;
  asset: string;
  contentType: string;
  cacheControl: string;
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
