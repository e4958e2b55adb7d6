/** What `Ref` and `Fn::GetAtt` answer for a resource: the local counterpart of its physical id. */
import { createHash } from 'node:crypto';
import type { TemplateValue } from './template-value.ts';

export interface Identity {
  ref: string;
  attributes: Readonly<Record<string, TemplateValue>>;
}

export interface IdentityContext {
  stackName: string;
  region: string;
  account: string;
  queueUrl(name: string): string;
  /** Origin of the HTTP API, no trailing slash. */
  apiUrl: string;
}

interface Named {
  /** The name that the template gives, else one made of stack and logical id. */
  name: string;
  logicalId: string;
  context: IdentityContext;
}

const arn = (service: string, resource: string, { context }: Named): string =>
  `arn:aws:${service}:${context.region}:${context.account}:${resource}`;

const withArn =
  (service: string, resource: (name: string) => string) =>
  (named: Named): Identity => ({
    ref: named.name,
    attributes: { Arn: arn(service, resource(named.name), named) },
  });

/** Property that holds the physical name, and what the resource answers. */
const KINDS: Readonly<Record<string, { nameProperty: string; identify(named: Named): Identity }>> = {
  'AWS::SQS::Queue': {
    nameProperty: 'QueueName',
    identify: (named) => {
      const url = named.context.queueUrl(named.name);
      return { ref: url, attributes: { Arn: arn('sqs', named.name, named), QueueName: named.name, QueueUrl: url } };
    },
  },
  'AWS::Lambda::Function': {
    nameProperty: 'FunctionName',
    identify: withArn('lambda', (name) => `function:${name}`),
  },
  'AWS::DynamoDB::Table': { nameProperty: 'TableName', identify: withArn('dynamodb', (name) => `table/${name}`) },
  'AWS::DynamoDB::GlobalTable': { nameProperty: 'TableName', identify: withArn('dynamodb', (name) => `table/${name}`) },
  'AWS::S3::Bucket': {
    nameProperty: 'BucketName',
    identify: ({ name }) => {
      const bucket = bucketName(name);
      return { ref: bucket, attributes: { Arn: `arn:aws:s3:::${bucket}`, DomainName: `${bucket}.s3.amazonaws.com` } };
    },
  },
  'AWS::Scheduler::ScheduleGroup': {
    nameProperty: 'Name',
    identify: withArn('scheduler', (name) => `schedule-group/${name}`),
  },
  'AWS::Scheduler::Schedule': {
    nameProperty: 'Name',
    identify: withArn('scheduler', (name) => `schedule/default/${name}`),
  },
  'AWS::IAM::Role': {
    nameProperty: 'RoleName',
    identify: ({ name, context }) => ({
      ref: name,
      attributes: { Arn: `arn:aws:iam::${context.account}:role/${name}`, RoleId: name },
    }),
  },
  'AWS::KMS::Key': {
    nameProperty: '',
    identify: (named) => {
      const id = named.logicalId;
      return { ref: id, attributes: { Arn: arn('kms', `key/${id}`, named), KeyId: id } };
    },
  },
  'AWS::KMS::Alias': {
    nameProperty: 'AliasName',
    identify: (named) => ({ ref: named.name, attributes: { Arn: arn('kms', named.name, named) } }),
  },
  'AWS::Logs::LogGroup': {
    nameProperty: 'LogGroupName',
    identify: withArn('logs', (name) => `log-group:${name}:*`),
  },
  'AWS::SSM::Parameter': { nameProperty: 'Name', identify: withArn('ssm', (name) => `parameter/${name}`) },
  'AWS::SNS::Topic': {
    nameProperty: 'TopicName',
    identify: (named) => {
      const topicArn = arn('sns', named.name, named);
      return { ref: topicArn, attributes: { TopicArn: topicArn, TopicName: named.name } };
    },
  },
  'AWS::ApiGatewayV2::Api': {
    nameProperty: '',
    identify: ({ logicalId, context }) => {
      const id = createHash('sha256').update(logicalId).digest('hex').slice(0, 10);
      return { ref: id, attributes: { ApiEndpoint: context.apiUrl, ApiId: id } };
    },
  },
};

/** S3's rules: lower case, no underscore, at most 63 characters. */
const bucketName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9.-]/g, '-')
    .slice(0, 63);

/** The property that holds the physical name, or none. */
export const namePropertyOf = (type: string): string => KINDS[type]?.nameProperty ?? '';

export const identityOf = (
  type: string,
  logicalId: string,
  givenName: string | undefined,
  context: IdentityContext,
): Identity => {
  const name = givenName ?? `${context.stackName}-${logicalId}`;
  const kind = KINDS[type];
  // Types of the ignored list: something readable, so that a role's policy that names them still resolves.
  if (!kind) return { ref: name, attributes: { Arn: `arn:aws:local:::${name}`, Id: name } };
  return kind.identify({ name, logicalId, context });
};
