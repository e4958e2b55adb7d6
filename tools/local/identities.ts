/** Values of `Ref` and `Fn::GetAtt` for a resource: the local counterparts of its physical id. */
import { createHash } from 'node:crypto';

/** A value of a template with resolved intrinsics. */
export type TemplateValue =
  | null
  | string
  | number
  | boolean
  | TemplateValue[]
  | { [key: string]: TemplateValue | undefined };

export interface Identity {
  ref: string;
  attributes: Readonly<Record<string, TemplateValue>>;
}

interface IdentityContext {
  stackName: string;
  region: string;
  account: string;
  queueUrl(name: string): string;
  /** Origin of the HTTP API, without trailing slash. */
  apiUrl: string;
}

interface Named {
  /** Name from the template, or built from stack and logical id. */
  name: string;
  logicalId: string;
  context: IdentityContext;
}

const arn = (service: string, resource: string, { context }: Named): string =>
  `arn:aws:${service}:${context.region}:${context.account}:${resource}`;

const withArn =
  (service: string, prefix: string) =>
  (named: Named): Identity => ({
    ref: named.name,
    attributes: { Arn: arn(service, `${prefix}${named.name}`, named) },
  });

/** S3's rules: lower case, no underscore, at most 63 characters. */
const bucketName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, 63);

const KINDS: Readonly<Record<string, (named: Named) => Identity>> = {
  'AWS::SQS::Queue': (named) => {
    const url = named.context.queueUrl(named.name);
    return { ref: url, attributes: { Arn: arn('sqs', named.name, named), QueueName: named.name } };
  },
  'AWS::Lambda::Function': withArn('lambda', 'function:'),
  'AWS::DynamoDB::Table': withArn('dynamodb', 'table/'),
  'AWS::S3::Bucket': ({ name }) => {
    const bucket = bucketName(name);
    return { ref: bucket, attributes: { Arn: `arn:aws:s3:::${bucket}` } };
  },
  'AWS::Scheduler::ScheduleGroup': withArn('scheduler', 'schedule-group/'),
  'AWS::Scheduler::Schedule': withArn('scheduler', 'schedule/default/'),
  'AWS::IAM::Role': ({ name, context }) => ({
    ref: name,
    attributes: { Arn: `arn:aws:iam::${context.account}:role/${name}` },
  }),
  'AWS::KMS::Key': (named) => ({
    ref: named.logicalId,
    attributes: { Arn: arn('kms', `key/${named.logicalId}`, named) },
  }),
  'AWS::ApiGatewayV2::Api': ({ logicalId, context }) => ({
    ref: createHash('sha256').update(logicalId).digest('hex').slice(0, 10),
    attributes: { ApiEndpoint: context.apiUrl },
  }),
  'AWS::ApiGatewayV2::Integration': ({ name }) => ({ ref: name, attributes: {} }),
};

/** Properties in which a template may name a resource. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::SQS::Queue': 'QueueName',
};

interface Described {
  Type: string;
  Properties: Readonly<Record<string, unknown>>;
}

/** Undefined for a type to which no local resource refers. */
export const identityOf = (
  { Type, Properties }: Described,
  logicalId: string,
  context: IdentityContext,
): Identity | undefined => {
  const given = Properties[NAME_PROPERTIES[Type] ?? ''];
  const name = typeof given === 'string' ? given : `${context.stackName}-${logicalId}`;
  return KINDS[Type]?.({ name, logicalId, context });
};
