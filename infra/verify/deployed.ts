/** What a deployed stack says of itself: the settings of its functions, for a process that does as they do. */
import type { Emulator } from './emulator.ts';

interface DeployedFunction {
  Description: string;
  Environment?: { Variables: Record<string, string> };
}

const functionsOf = async ({ endpoint }: Emulator): Promise<DeployedFunction[]> => {
  const answer = await fetch(`${endpoint}/2015-03-31/functions?MaxItems=10000`);
  return ((await answer.json()) as { Functions: DeployedFunction[] }).Functions;
};

/** All of them together: names of the table, the buckets, the queues and the key. */
export const deployedEnvironment = async (emulator: Emulator): Promise<Record<string, string>> => {
  const functions = await functionsOf(emulator);
  const variables = functions.map(({ Environment }) => Environment?.Variables ?? {});
  return { ...Object.assign({}, ...variables), ...emulator.environment };
};

/** How many functions are left. */
export const countFunctions = async (emulator: Emulator): Promise<number> => (await functionsOf(emulator)).length;

/** Puts a SecureString where functions read it. */
export const putSecureString = async ({ endpoint }: Emulator, name: string, value: string): Promise<void> => {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AmazonSSM.PutParameter',
      // Tells the emulator which of its services is meant; nobody checks the signature.
      authorization:
        'AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/ssm/aws4_request, SignedHeaders=host, Signature=x',
    },
    body: JSON.stringify({ Name: name, Value: value, Type: 'SecureString', Overwrite: true }),
  });
  if (!answer.ok) throw new Error(`the parameter ${name} could not be written: ${answer.status}`);
};
