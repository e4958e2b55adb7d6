/**
 * Sends a signed request without an SDK client, because a client would add hundreds of operations to a bundle for one
 * call. The signer is already in the bundle.
 */

import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { endpointOverride } from './endpoint-override.ts';
import { env } from './env.ts';
import { AWS_VARIABLES } from './needs.ts';

const SERVICES = { ssm: 'SSM', cloudformation: 'CLOUDFORMATION', lambda: 'LAMBDA' } as const;

interface SignedCall {
  method: 'GET' | 'POST';
  path?: string;
  headers?: Record<string, string>;
  body?: string;
  timeoutMs: number;
}

/** Sends the request. Rejects with the errors of `fetch`. An answer with any status resolves. */
export const signedRequest = async (
  service: keyof typeof SERVICES,
  { method, path = '/', headers = {}, body, timeoutMs }: SignedCall,
): Promise<Response> => {
  const region = env(AWS_VARIABLES.region);
  const url = new URL(path, endpointOverride(SERVICES[service]) ?? `https://${service}.${region}.amazonaws.com`);
  const { protocol, hostname, host } = url;
  const signer = new SignatureV4({ service, region, credentials: defaultProvider(), sha256: Sha256 });
  const sent = { method, ...(body === undefined ? {} : { body }) };
  const signed = await signer.sign(
    new HttpRequest({ ...sent, protocol, hostname, path, headers: { host, ...headers } }),
  );
  return fetch(url, { ...sent, headers: signed.headers, signal: AbortSignal.timeout(timeoutMs) });
};

/** Sends an action of CloudFormation's query protocol. An answer with any status resolves, and is XML. */
export const askCloudFormation = (action: string, parameters: Readonly<Record<string, string>>): Promise<Response> =>
  signedRequest('cloudformation', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ Action: action, Version: '2010-05-15', ...parameters }).toString(),
    timeoutMs: PLATFORM_LIMITS.deploymentAnswerMs,
  });

/**
 * Returns CloudFormation's description of a stack.
 *
 * @param stack name or id
 */
export const describeStack = (stack: string): Promise<Response> =>
  askCloudFormation('DescribeStacks', { StackName: stack });
