/** The resource properties that the local runner acts on, parsed: a property of another form stops the start. */
import * as z from 'zod';

const seconds = z.coerce.number().int();

export const FunctionProperties = z.object({
  FunctionName: z.string().optional(),
  Description: z.string().optional(),
  Runtime: z.string().optional(),
  Handler: z.string().optional(),
  Timeout: seconds.default(3),
  MemorySize: z.coerce.number().int().default(128),
  Environment: z.object({ Variables: z.record(z.string(), z.coerce.string()).default({}) }).default({ Variables: {} }),
  Code: z.object({ S3Key: z.string().optional(), ZipFile: z.string().optional() }).loose(),
});

export const QueueProperties = z.object({
  QueueName: z.string().optional(),
  FifoQueue: z.coerce.boolean().optional(),
  ContentBasedDeduplication: z.coerce.boolean().optional(),
  VisibilityTimeout: seconds.default(30),
  DelaySeconds: seconds.default(0),
  MaximumMessageSize: z.coerce.number().int().optional(),
  MessageRetentionPeriod: seconds.optional(),
  ReceiveMessageWaitTimeSeconds: seconds.default(0),
  RedrivePolicy: z
    .object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number().int() })
    .loose()
    .optional(),
});

const KeySchema = z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) }));
const Projection = z.object({
  ProjectionType: z.enum(['ALL', 'KEYS_ONLY', 'INCLUDE']).optional(),
  NonKeyAttributes: z.array(z.string()).optional(),
});

/** `AWS::DynamoDB::Table` and `AWS::DynamoDB::GlobalTable` alike. */
export const TableProperties = z.object({
  TableName: z.string().optional(),
  AttributeDefinitions: z.array(z.object({ AttributeName: z.string(), AttributeType: z.enum(['S', 'N', 'B']) })),
  KeySchema,
  GlobalSecondaryIndexes: z.array(z.object({ IndexName: z.string(), KeySchema, Projection }).loose()).default([]),
  TimeToLiveSpecification: z.object({ AttributeName: z.string().optional(), Enabled: z.coerce.boolean() }).optional(),
});

export const MappingProperties = z.object({
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z.coerce.boolean().default(true),
  BatchSize: z.coerce.number().int().default(10),
  MaximumBatchingWindowInSeconds: seconds.default(0),
  FunctionResponseTypes: z.array(z.string()).default([]),
  ScalingConfig: z.object({ MaximumConcurrency: z.coerce.number().int().optional() }).default({}),
  FilterCriteria: z.unknown().optional(),
});

export const ScheduleProperties = z.object({
  Name: z.string().optional(),
  GroupName: z.string().default('default'),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.string().default('UTC'),
  StartDate: z.string().optional(),
  EndDate: z.string().optional(),
  State: z.enum(['ENABLED', 'DISABLED']).default('ENABLED'),
  FlexibleTimeWindow: z.object({ Mode: z.string() }).loose(),
  Target: z
    .object({
      Arn: z.string(),
      RoleArn: z.string(),
      Input: z.string().optional(),
      SqsParameters: z.object({ MessageGroupId: z.string().optional() }).optional(),
    })
    .loose(),
});

export const CorsProperties = z.object({
  AllowOrigins: z.array(z.string()).default([]),
  AllowMethods: z.array(z.string()).default([]),
  AllowHeaders: z.array(z.string()).default([]),
  ExposeHeaders: z.array(z.string()).default([]),
  AllowCredentials: z.coerce.boolean().default(false),
  MaxAge: seconds.optional(),
});

export const ApiProperties = z.object({
  Name: z.string().optional(),
  ProtocolType: z.literal('HTTP'),
  CorsConfiguration: CorsProperties.optional(),
});

export const RouteProperties = z.object({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string(),
  AuthorizationType: z.literal('NONE').default('NONE'),
});

export const IntegrationProperties = z.object({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z.coerce.number().int().min(50).max(30_000).default(30_000),
});

export const StageProperties = z.object({
  ApiId: z.string(),
  StageName: z.string(),
  DefaultRouteSettings: z
    .object({ ThrottlingRateLimit: z.number().optional(), ThrottlingBurstLimit: z.number().optional() })
    .optional(),
});

export const GroupProperties = z.object({ Name: z.string().optional() });

export const BucketProperties = z.object({ BucketName: z.string().optional() });

/**
 * Types that change nothing on one machine: permissions (a test compares each function's SDK calls with its role),
 * logs, keys (there is a key file instead), alarms. Any other unknown type stops the start.
 */
export const IGNORED_TYPES: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Stage',
  'AWS::CDK::Metadata',
  'AWS::CloudWatch::Alarm',
  'AWS::CloudWatch::CompositeAlarm',
  'AWS::CloudWatch::Dashboard',
  'AWS::IAM::ManagedPolicy',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::KMS::Alias',
  'AWS::KMS::Key',
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
  'AWS::Logs::MetricFilter',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::Subscription',
  'AWS::SNS::Topic',
  'AWS::SNS::TopicPolicy',
  'AWS::SQS::QueuePolicy',
  'AWS::SSM::Parameter',
]);
