/** The bucket of the dashboard's page: S3 copies the files from the deployment's assets. */

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
      // The copy gets our content type instead of the asset's.
      MetadataDirective: 'REPLACE',
      ContentType: file.contentType,
      CacheControl: file.cacheControl,
    }),
  );
};
