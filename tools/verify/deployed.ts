/** Reads the settings of a deployed stack's functions, for a process that acts as one of these functions. */
import type { Emulator } from './emulator.ts';

interface DeployedFunction {
  Description: string;
  CodeSha256: string;
  Environment?: { Variables: Record<string, string> };
}

/**
 * Returns headers that select one of the emulator's services. The signature is a placeholder, because the emulator does
 * not check it.
 */
const signedFor = (service: string): Record<string, string> => ({
  authorization: `AWS4-HMAC-SHA256 Credential=test/20260101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=x`,
});

const functionsOf = async ({ endpoint }: Emulator): Promise<DeployedFunction[]> => {
  const answer = await fetch(`${endpoint}/2015-03-31/functions?MaxItems=10000`);
  return ((await answer.json()) as { Functions: DeployedFunction[] }).Functions;
};

/**
 * Resolves with the environment variables of all functions in one object: names of the table, the buckets, the queues
 * and the key.
 */
export const deployedEnvironment = async (emulator: Emulator): Promise<Record<string, string>> => {
  const functions = await functionsOf(emulator);
  const variables = functions.map(({ Environment }) => Environment?.Variables ?? {});
  return { ...Object.assign({}, ...variables), ...emulator.environment };
};

/** Resolves with an object that maps each function to the digest of its code. */
export const deployedCode = async (emulator: Emulator): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await functionsOf(emulator))
      .map(({ Description, CodeSha256 }): [string, string] => [Description, CodeSha256])
      .sort(),
  );

const namesIn = async (service: string, address: string, pattern: RegExp): Promise<string[]> => {
  const text = await (await fetch(address, { headers: signedFor(service) })).text();
  return [...text.matchAll(pattern)].map(([, name]) => name!);
};

const asked = async ({ endpoint }: Emulator, service: string, target: string, input: object): Promise<Response> =>
  fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target, ...signedFor(service) },
    body: JSON.stringify(input),
  });

/** Resolves with the names of all tables and queues. These names must be free before another deploy. */
const namedThings = async (emulator: Emulator): Promise<string[]> => {
  const tables = await asked(emulator, 'dynamodb', 'DynamoDB_20120810.ListTables', {});
  const queues = await asked(emulator, 'sqs', 'AmazonSQS.ListQueues', {});
  const { TableNames } = (await tables.json()) as { TableNames: string[] };
  const { QueueUrls = [] } = (await queues.json()) as { QueueUrls?: string[] };
  return [...TableNames.map((name) => `the table ${name}`), ...QueueUrls.map((url) => `the queue ${url}`)];
};

/** Resolves with the resources that remain after a destroy of the stacks, except the assets of the account itself. */
export const whatIsLeft = async (emulator: Emulator): Promise<string[]> => {
  const buckets = await namesIn('s3', `${emulator.endpoint}/`, /<Bucket><Name>([^<]+)/g);
  if (buckets.length === 0) throw new Error('the buckets of the account could not be read');
  return [
    ...(await functionsOf(emulator)).map(({ Description }) => `the function ${Description}`),
    ...buckets.filter((name) => !name.startsWith('cdk-')).map((name) => `the bucket ${name}`),
    ...(await namedThings(emulator)),
    ...(await namesIn(
      'cloudfront',
      `${emulator.endpoint}/2020-05-31/distribution`,
      /<DistributionSummary><Id>([^<]+)/g,
    )),
  ];
};

/** Writes an SSM SecureString that the functions read. */
export const putSecureString = async (emulator: Emulator, name: string, value: string): Promise<void> => {
  const input = { Name: name, Value: value, Type: 'SecureString', Overwrite: true };
  const answer = await asked(emulator, 'ssm', 'AmazonSSM.PutParameter', input);
  if (!answer.ok) throw new Error(`the parameter ${name} could not be written: ${answer.status}`);
};

export const hasParameter = async (emulator: Emulator, name: string): Promise<boolean> =>
  (await asked(emulator, 'ssm', 'AmazonSSM.GetParameter', { Name: name })).ok;
