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

const makeClient = (callMs: number, attempts: number): S3Client =>
  new S3Client({
    ...bounded(callMs, attempts),
    // A local endpoint has no host name per bucket (architecture.md §7.1).
    forcePathStyle: endpointOverride('S3') !== undefined,
  });

export const objectClient = /* @__PURE__ */ lazy(() =>
  makePatient(makeClient(PLATFORM_LIMITS.objectCallMs, PLATFORM_LIMITS.awsAttemptsMax)),
);

/** For objects that a request can do without: one short attempt. */
export const quickObjectClient = /* @__PURE__ */ lazy(() => makeClient(PLATFORM_LIMITS.quickObjectCallMs, 1));
