/** Copies the page's files in order, and deletes all of them before their bucket is deleted. */
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { emptyBucket } from '#shared/platform/emptied-bucket.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { Publication } from './contract.ts';
import * as pageFiles from './page-files.store.ts';

/**
 * Copies each part after the previous part is complete. Files of earlier versions of the page stay in the bucket for
 * browsers in which such a version is still open.
 * @throws ZodError for invalid properties; S3's own error for a file that cannot be copied.
 */
export const publish = async (properties: unknown): Promise<void> => {
  const { bucket, assetBucket, parts } = Publication.parse(properties);
  for (const { cacheControl, files } of parts)
    await forEachConcurrent(files, PLATFORM_LIMITS.pageFilesParallelMax, (file) =>
      pageFiles.put(bucket, assetBucket, { ...file, cacheControl }),
    );
};

/**
 * Deletes all files of the page.
 * @param bucket the bucket's name that the function returned when the resource was created. The current properties may
 * already name the bucket that replaces it.
 */
export const withdraw = async (bucket: string): Promise<void> => {
  await emptyBucket(bucket, () => true);
};
