/**
 * The function that puts the dashboard's files into their bucket while its stack is deployed (docs/adr/0011). No request
 * ever reaches it, so it is none of the service's functions: the stack of the dashboard has it and nobody else.
 */
import * as z from 'zod';

export const contract = {
  id: 'publish-dashboard',
  /** Some fifty copies within S3, a few at a time: two seconds. */
  timeoutSeconds: 120,
  /** Nothing passes through it: S3 copies the files itself. */
  memoryMb: 256,
} as const;

const File = z.object({
  /** Name in the bucket, which is the file's path on the site. */
  key: z.string().min(1),
  /** Name among the assets of the deployment. */
  asset: z.string().min(1),
  contentType: z.string().min(1),
});

/** What the stack says of its files. CloudFormation adds words of its own, and hands every number over as a text. */
export const Publication = z.object({
  bucket: z.string().min(1),
  /** Where the deployment has put them. */
  assetBucket: z.string().min(1),
  /** Put one after the other: no file may name one that is not there yet. */
  parts: z.array(z.object({ cacheControl: z.string().min(1), files: z.array(File) })).min(1),
});
export type Publication = z.infer<typeof Publication>;
