/** Local values of `Ref` and `Fn::GetAtt` for a resource, which on AWS contain the resource's physical id. */
import { createHash } from 'node:crypto';

/** A value of a template whose intrinsic functions are resolved. */
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

interface ResourceName {
  /** Name of the resource from the template, or a name built from stack and logical id. */
  name: string;
  logicalId: string;
  context: IdentityContext;
}

const arn = (service: string, resource: string, { context }: ResourceName): string =>
  `arn:aws:${service}:${context.region}:${context.account}:${resource}`;

const withArn =
  (service: string, prefix: string) =>
  (named: ResourceName): Identity => ({
    ref: named.name,
    attributes: { Arn: arn(service, `${prefix}${named.name}`, named) },
  });

/** Returns a name that follows S3's rules: lower case, no underscore, at most 63 characters. */
const bucketName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, 63);

const KINDS: Readonly<Record<string, (named: ResourceName) => Identity>> = {
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

/** Type of a resource → the property in which a template may give its name. */
const NAME_PROPERTIES: Readonly<Record<string, string>> = {
  'AWS::DynamoDB::Table': 'TableName',
  'AWS::SQS::Queue': 'QueueName',
};

interface DescribedResource {
  Type: string;
  Properties: Readonly<Record<string, unknown>>;
}

/** Returns the resource's identity; undefined for a type to which no local resource refers. */
export const chooseIdentity = (
  { Type, Properties }: DescribedResource,
  logicalId: string,
  context: IdentityContext,
): Identity | undefined => {
  const given = Properties[NAME_PROPERTIES[Type] ?? ''];
  const name = typeof given === 'string' ? given : `${context.stackName}-${logicalId}`;
  return KINDS[Type]?.({ name, logicalId, context });
};
