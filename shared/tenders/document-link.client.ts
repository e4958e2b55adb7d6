/**
 * Reads stored documents by signed links, without the S3 client. Signing needs only credentials, while the S3 client
 * would add 100 kB of operations that the read endpoints never call.
 */
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { S3RequestPresigner } from '@aws-sdk/s3-request-presigner';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { endpointOverride } from '#shared/platform/endpoint-override.ts';
import { env } from '#shared/platform/env.ts';
import { lazy } from '#shared/platform/lazy.ts';
import { AWS_VARIABLES, VARIABLES } from '#shared/platform/needs.ts';
import { TENDER_LIMITS } from '#shared/tenders/limits.ts';

const signer = /* @__PURE__ */ lazy(
  () => new S3RequestPresigner({ credentials: defaultProvider(), region: env(AWS_VARIABLES.region), sha256: Sha256 }),
);

/**
 * Returns the URL path of an object key. Keys consist of ids and our own words, so they contain no character that S3
 * and `encodeURIComponent` encode differently.
 */
const pathOf = (key: string): string => key.split('/').map(encodeURIComponent).join('/');

const addressOf = (bucket: string, key: string): URL => {
  const local = endpointOverride('S3');
  // A local endpoint has no host name per bucket (architecture.md §7.1).
  if (local !== undefined) return new URL(`/${bucket}/${pathOf(key)}`, local);
  return new URL(`https://${bucket}.s3.${env(AWS_VARIABLES.region)}.amazonaws.com/${pathOf(key)}`);
};

/** Signs a URL that anyone can use for `signedUrlSeconds`. */
export const signedUrl = async (object: string): Promise<string> => {
  const address = addressOf(env(VARIABLES.documentBucket), object);
  const request = new HttpRequest({
    method: 'GET',
    protocol: address.protocol,
    hostname: address.hostname,
    ...(address.port === '' ? {} : { port: Number(address.port) }),
    path: address.pathname,
  });
  const { query } = await signer().presign(request, { expiresIn: TENDER_LIMITS.signedUrlSeconds });
  for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, String(value));
  return address.href;
};

/** @throws if the object does not exist */
export const readDocument = async (object: string): Promise<Uint8Array> => {
  const response = await fetch(await signedUrl(object), { signal: AbortSignal.timeout(TENDER_LIMITS.documentReadMs) });
  if (!response.ok) throw new Error(`reading a stored document failed with status ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
};
