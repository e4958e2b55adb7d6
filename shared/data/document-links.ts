/** Links to stored files, apart from the bucket itself: the signer weighs, and one function alone needs it. */
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { env } from '#shared/platform/env.ts';
import { LIMITS } from '#shared/platform/limits.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { objectClient } from '#shared/platform/object-client.ts';

/** Valid for `signedUrlSeconds`: to whoever has it. */
export const signedUrl = (object: string): Promise<string> =>
  getSignedUrl(objectClient(), new GetObjectCommand({ Bucket: env(VARIABLES.documentBucket), Key: object }), {
    expiresIn: LIMITS.signedUrlSeconds,
  });
