/**
 * The function that copies the dashboard's files into the dashboard's bucket while its stack is deployed
 * (docs/adr/0011). It receives no requests of the API, so it is not one of the service's functions.
 */
import * as z from 'zod';

export const contract = {
  id: 'publish-dashboard',
  /** Copying about fifty files within S3, a few at a time, takes two seconds. */
  timeoutSeconds: 120,
  /** 256 MB are enough, because S3 copies the files and the function does not read them. */
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
 * Properties that the stack sends to this function. CloudFormation adds further fields, and sends every number as text.
 */
export const Publication = z.object({
  bucket: z.string().min(1),
  /** Bucket with the deployment's assets. */
  assetBucket: z.string().min(1),
  /**
   * Parts of the page in the order in which they are copied. The page comes after its assets, because no file may
   * reference a missing file.
   */
  parts: z.array(z.object({ cacheControl: z.string().min(1), files: z.array(File) })).min(1),
});
export type Publication = z.infer<typeof Publication>;
