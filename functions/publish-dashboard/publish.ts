/** The files of the page: there in order, and all gone before their bucket goes. */
import { forEachConcurrent } from '#shared/platform/concurrency.ts';
import { emptyBucket } from '#shared/platform/emptied-bucket.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { Publication } from './contract.ts';
import * as pageFiles from './page-files.store.ts';

/**
 * Every part once the one before it is whole. Files that this page no longer names stay for the pages that are open.
 * @throws ZodError for properties that are none; S3's own error for a file that cannot be copied.
 */
export const publish = async (properties: unknown): Promise<void> => {
  const { bucket, assetBucket, parts } = Publication.parse(properties);
  for (const { cacheControl, files } of parts)
    await forEachConcurrent(files, PLATFORM_LIMITS.pageFilesParallelMax, (file) =>
      pageFiles.put(bucket, assetBucket, { ...file, cacheControl }),
    );
};

/**
 * @param bucket as it was answered at its creation: when another takes its place, the old one is meant, not the new
 */
export const withdraw = async (bucket: string): Promise<void> => {
  await emptyBucket(bucket, () => true);
};
