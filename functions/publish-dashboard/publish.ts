/** Copies the page's files in order, and deletes all of them before their bucket is deleted. */
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { emptyBucket } from '#shared/platform/emptied-bucket.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { Publication } from './contract.ts';
import * as pageFiles from './page-files.store.ts';

/**
 * Copies each part after the previous one is complete. Files that this page no longer references stay for pages that
 * are still open.
 * @throws ZodError for invalid properties; S3's own error for a file that cannot be copied.
 */
export const publish = async (properties: unknown): Promise<void> => {
  const { bucket, assetBucket, parts } = Publication.parse(properties);
  for (const { cacheControl, files } of parts)
    await forEachConcurrent(files, LIMITS.pageFilesParallelMax, (file) =>
      pageFiles.put(bucket, assetBucket, { ...file, cacheControl }),
    );
};

/**
 * @param bucket name that was returned when the resource was created: after a replacement the old bucket is meant, not
 * the new one
 */
export const withdraw = async (bucket: string): Promise<void> => {
  await emptyBucket(bucket, () => true);
};
