/**
 * Schemas of the resource properties in our templates, and lists of the properties and types that have no effect on one
 * machine. A property that is in no schema and in no list, or whose value has another form, stops the start.
 */
import * as z from 'zod';
import { RATE } from './schedule-expressions.ts';

const count = z.int().min(0);
/** infra writes the function's id into the description, because CloudFormation chooses the function's name. */
const functionId = z.string().regex(/^[a-z0-9-]{1,64}$/, 'the id of a function was expected');

export const FunctionProperties = z.strictObject({
  Description: functionId,
  Handler: z.literal('index.handler'),
  Timeout: count,
  MemorySize: count,
  Environment: z.strictObject({ Variables: z.record(z.string(), z.string()) }),
  Code: z.strictObject({ S3Bucket: z.string(), S3Key: z.string() }),
});

export const QueueProperties = z.strictObject({
  // Name of the queue, from which its ARN and URL are derived.
  QueueName: z.string().optional(),
  MessageRetentionPeriod: count.optional(),
  RedrivePolicy: z.strictObject({ deadLetterTargetArn: z.string(), maxReceiveCount: count }).optional(),
  VisibilityTimeout: count.default(30),
});

const KeySchema = z.array(z.strictObject({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));

export const TableProperties = z.strictObject({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(z.strictObject({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  BillingMode: z.literal('PAY_PER_REQUEST'),
  KeySchema,
  GlobalSecondaryIndexes: z.array(
    z.strictObject({
      IndexName: z.string(),
      KeySchema,
      Projection: z.strictObject({ ProjectionType: z.literal('KEYS_ONLY') }),
    }),
  ),
  TimeToLiveSpecification: z.strictObject({ AttributeName: z.string(), Enabled: z.literal(true) }),
});

export const MappingProperties = z.strictObject({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  BatchSize: count,
  FunctionResponseTypes: z.tuple([z.literal('ReportBatchItemFailures')]),
  ScalingConfig: z.strictObject({ MaximumConcurrency: count }),
});

/** Properties of schedules, both in templates and in Scheduler's API. */
const TargetProperties = z.strictObject({
  Arn: z.string().min(1).max(1600),
  RoleArn: z.string().min(1).max(1600),
  Input: z
    .string()
    .min(1)
    .refine((input) => !/<aws\.scheduler\.(?!scheduled-time>)/.test(input), 'the one known keyword is scheduled-time'),
  // Retries and dead letters are ignored, because a local firing fails for other reasons than a firing on AWS, and the next
  // firing comes soon.
  RetryPolicy: z.unknown().optional(),
  DeadLetterConfig: z.strictObject({ Arn: z.string() }).optional(),
});

export const ScheduleProperties = z.strictObject({
  ScheduleExpression: z.string().regex(RATE, 'rate(<minutes> minutes) was expected'),
  FlexibleTimeWindow: z.strictObject({ Mode: z.literal('OFF') }),
  Target: TargetProperties,
});

export const ApiProperties = z.strictObject({ Name: z.string(), ProtocolType: z.literal('HTTP') });

export const RouteProperties = z.strictObject({
  ApiId: z.string(),
  RouteKey: z
    .string()
    .regex(
      /^(?:\$default|(?:GET|POST|PUT|PATCH|DELETE|OPTIONS) \/[^+]*)$/,
      '$default or a method and a path without {proxy+}',
    ),
  Target: z.string(),
  AuthorizationType: z.literal('NONE'),
});

export const IntegrationProperties = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
});

export const StageProperties = z.strictObject({
  ApiId: z.string(),
  StageName: z.string(),
  DefaultRouteSettings: z.strictObject({ ThrottlingRateLimit: z.number(), ThrottlingBurstLimit: z.number() }),
});

export const NoProperties = z.strictObject({});

/**
 * Types of resources that run on this machine → properties that have no effect here: permissions, logs, encryption,
 * tags, lifetime of objects.
 */
export const IGNORED_PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['Tags'],
  'AWS::ApiGatewayV2::Integration': [],
  'AWS::ApiGatewayV2::Route': [],
  'AWS::ApiGatewayV2::Stage': ['AccessLogSettings', 'AutoDeploy', 'Tags'],
  'AWS::DynamoDB::Table': ['DeletionProtectionEnabled', 'PointInTimeRecoverySpecification', 'SSESpecification', 'Tags'],
  'AWS::Lambda::EventSourceMapping': ['Tags'],
  'AWS::Lambda::Function': 'Architectures LoggingConfig RecursiveLoop Role Runtime Tags TracingConfig'.split(' '),
  'AWS::S3::Bucket': ['BucketEncryption', 'LifecycleConfiguration', 'PublicAccessBlockConfiguration', 'Tags'],
  'AWS::SQS::Queue': ['SqsManagedSseEnabled', 'Tags'],
  'AWS::Scheduler::Schedule': [],
  'AWS::Scheduler::ScheduleGroup': ['Tags'],
};

/**
 * Types of resources that have no effect on one machine: permissions (a test compares each function's SDK calls with
 * its role), logs, and keys (a key file replaces them). Any other unknown type stops the start.
 */
export const IGNORED_TYPES: ReadonlySet<string> = new Set([
  'AWS::IAM::Role',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::S3::BucketPolicy',
  'AWS::SQS::QueuePolicy',
]);
