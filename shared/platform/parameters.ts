/** Reads and writes one SecureString of the SSM Parameter Store. */
import * as z from 'zod';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { signedRequest } from './signed-request.ts';

const Answer = z.object({ Parameter: z.object({ Value: z.string() }) });

const ask = (operation: 'GetParameter' | 'PutParameter', input: object): Promise<Response> =>
  signedRequest('ssm', {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `AmazonSSM.${operation}` },
    body: JSON.stringify(input),
    timeoutMs: PLATFORM_LIMITS.parameterReadMs,
  });

/** Returns the decrypted value. Errors contain neither the value nor the answer, which may include the value. */
export const readSecureString = async (name: string): Promise<string> => {
  const response = await ask('GetParameter', { Name: name, WithDecryption: true });
  if (!response.ok) throw new Error(`the parameter ${name} could not be read: ${response.status}`);
  const answer = Answer.safeParse(await response.json());
  if (!answer.success) throw new Error(`the parameter ${name} has no value`);
  return answer.data.Parameter.Value;
};

/** True if a parameter of this name exists. The parameter's value stays encrypted. Used by operators' commands. */
export const hasParameter = async (name: string): Promise<boolean> => {
  const response = await ask('GetParameter', { Name: name });
  if (response.ok) return true;
  const { __type: type } = (await response.json().catch(() => ({}))) as { __type?: string };
  if (type?.endsWith('ParameterNotFound')) return false;
  throw new Error(`the parameter ${name} could not be looked for: ${response.status}`);
};

/** Writes the parameter if the name is free. Returns true if the parameter was written. Used by operators' commands. */
export const makeSecureString = async (name: string, value: string): Promise<boolean> => {
  const response = await ask('PutParameter', { Name: name, Value: value, Type: 'SecureString', Overwrite: false });
  if (response.ok) return true;
  const { __type: type } = (await response.json().catch(() => ({}))) as { __type?: string };
  if (type?.endsWith('ParameterAlreadyExists')) return false;
  throw new Error(`the parameter ${name} could not be written: ${response.status}`);
};
