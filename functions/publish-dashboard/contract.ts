/**
 * The function that puts the dashboard's files into their bucket while its stack is deployed (docs/adr/0011). It
 * receives no requests, so it is not one of the service's functions; only the dashboard's stack has it.
 */
import * as z from 'zod';

export const contract = {
  id: 'publish-dashboard',
  /** Copying about fifty files within S3, a few at a time, takes two seconds. */
  timeoutSeconds: 120,
  /** The function does not read the files: S3 copies them itself. */
  memoryMb: 256,
} as const;

const File = z.object({
  /** The file's key in the page's bucket, which is the file's path on the site. */
  key: z.string().min(1),
  /** The file's key in the bucket with the deployment's assets. */
  asset: z.string().min(1),
  contentType: z.string().min(1),
});

/**
 * Properties that the stack sends about its files. CloudFormation adds further fields, and sends every number as text.
 */
export const Publication = z.object({
  bucket: z.string().min(1),
  /** Bucket with the deployment's assets. */
  assetBucket: z.string().min(1),
  /** The parts are copied one after the other, because no file may reference a missing file. */
  parts: z.array(z.object({ cacheControl: z.string().min(1), files: z.array(File) })).min(1),
});
export type Publication = z.infer<typeof Publication>;
