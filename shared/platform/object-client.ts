/**
 * Creates the S3 client. It is separate from the table's client, because it adds 110 kB to a bundle and few functions
 * use a bucket.
 */
import { S3Client } from '@aws-sdk/client-s3';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { bounded } from './bounded-calls.ts';
import { endpointOverride } from './endpoint-override.ts';
import { lazy } from './lazy.ts';
import { makePatient } from './patience.ts';

export const objectClient = /* @__PURE__ */ lazy(
  // A local endpoint has no host name per bucket (architecture.md §7.1).
  () =>
    makePatient(
      new S3Client({
        ...bounded(PLATFORM_LIMITS.objectCallMs, PLATFORM_LIMITS.awsAttemptsMax),
        forcePathStyle: endpointOverride('S3') !== undefined,
      }),
    ),
);
