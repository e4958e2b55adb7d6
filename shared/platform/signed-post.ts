/**
 * A signed request in place of the SDK's client, which would put hundreds of operations into a bundle for the sake of one;
 * the signer is there already.
 */
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { endpointOverride } from './endpoint-override.ts';
import { env } from './env.ts';

interface Post {
  headers: Record<string, string>;
  body: string;
  timeoutMs: number;
}

/** Rejects with fetch's own errors; an answer of whatever status resolves. */
export const signedPost = async (
  service: 'ssm' | 'cloudformation',
  { headers, body, timeoutMs }: Post,
): Promise<Response> => {
  const region = env('AWS_REGION');
  const override = endpointOverride(service === 'ssm' ? 'SSM' : 'CLOUDFORMATION');
  const url = new URL(override ?? `https://${service}.${region}.amazonaws.com`);
  const signer = new SignatureV4({ service, region, credentials: defaultProvider(), sha256: Sha256 });
  const signed = await signer.sign(
    new HttpRequest({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: '/',
      headers: { host: url.host, ...headers },
      body,
    }),
  );
  return fetch(url, { method: 'POST', headers: signed.headers, body, signal: AbortSignal.timeout(timeoutMs) });
};
