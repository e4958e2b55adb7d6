/**
 * One SecureString of the SSM Parameter Store. A signed request in place of the SDK's client, which would put two
 * hundred operations into the bundle of every endpoint for the sake of one; the signer is there already.
 */
import { defaultProvider } from '@aws-sdk/credential-provider-node';
import { Sha256 } from '@smithy/core/checksum';
import { HttpRequest } from '@smithy/core/protocols';
import { SignatureV4 } from '@smithy/signature-v4';
import * as z from 'zod';
import { endpointOverride } from './endpoint-override.ts';
import { env } from './env.ts';
import { LIMITS } from './limits.ts';

const Answer = z.object({ Parameter: z.object({ Value: z.string() }) });

const endpoint = (): URL => new URL(endpointOverride('SSM') ?? `https://ssm.${env('AWS_REGION')}.amazonaws.com`);

const ask = async (operation: 'GetParameter' | 'PutParameter', input: object): Promise<Response> => {
  const url = endpoint();
  const body = JSON.stringify(input);
  const signer = new SignatureV4({
    service: 'ssm',
    region: env('AWS_REGION'),
    credentials: defaultProvider(),
    sha256: Sha256,
  });
  const { headers } = await signer.sign(
    new HttpRequest({
      method: 'POST',
      protocol: url.protocol,
      hostname: url.hostname,
      path: '/',
      headers: {
        host: url.host,
        'content-type': 'application/x-amz-json-1.1',
        'x-amz-target': `AmazonSSM.${operation}`,
      },
      body,
    }),
  );
  return fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(LIMITS.parameterReadMs) });
};

/** The value in clear. Throws without naming the value or quoting the answer: it may hold one. */
export const readSecureString = async (name: string): Promise<string> => {
  const response = await ask('GetParameter', { Name: name, WithDecryption: true });
  if (!response.ok) throw new Error(`the parameter ${name} could not be read: ${response.status}`);
  const answer = Answer.safeParse(await response.json());
  if (!answer.success) throw new Error(`the parameter ${name} has no value`);
  return answer.data.Parameter.Value;
};

/** An operator's: writes it if there is none of this name. Resolves with whether it did. */
export const makeSecureString = async (name: string, value: string): Promise<boolean> => {
  const response = await ask('PutParameter', { Name: name, Value: value, Type: 'SecureString', Overwrite: false });
  if (response.ok) return true;
  const { __type: type } = (await response.json().catch(() => ({}))) as { __type?: string };
  if (type?.endsWith('ParameterAlreadyExists')) return false;
  throw new Error(`the parameter ${name} could not be written: ${response.status}`);
};
