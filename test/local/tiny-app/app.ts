/** The smallest app with everything the local runner runs: an endpoint, a queue with its worker, a schedule. */
import { join } from 'node:path';
import { App, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Code, EventSourceMapping, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import { Queue } from 'aws-cdk-lib/aws-sqs';

const app = new App({ analyticsReporting: false, treeMetadata: false });
const data = new Stack(app, 'tiny-data');
const stack = new Stack(app, 'tiny-app');

const table = new Table(data, 'Table', {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
  billingMode: BillingMode.PAY_PER_REQUEST,
  timeToLiveAttribute: 'expires_at_epoch',
  removalPolicy: RemovalPolicy.DESTROY,
});
table.addGlobalSecondaryIndex({
  indexName: 'due',
  partitionKey: { name: 'due_pk', type: AttributeType.STRING },
  projectionType: ProjectionType.KEYS_ONLY,
});
const bucket = new Bucket(data, 'Bucket', { removalPolicy: RemovalPolicy.DESTROY });
const deadLetters = new Queue(data, 'DeadLetters');
const queue = new Queue(data, 'Work', {
  visibilityTimeout: Duration.seconds(60),
  deadLetterQueue: { queue: deadLetters, maxReceiveCount: 2 },
});

const fn = (id: string, timeoutSeconds = 10): LambdaFunction =>
  new LambdaFunction(stack, id, {
    description: id,
    runtime: Runtime.NODEJS_24_X,
    handler: 'index.handler',
    code: Code.fromAsset(join(import.meta.dirname, 'code', id)),
    timeout: Duration.seconds(timeoutSeconds),
    memorySize: 128,
    environment: { TABLE_NAME: table.tableName, RAW_BUCKET_NAME: bucket.bucketName, QUEUE_WORK_URL: queue.queueUrl },
  });

const echo = fn('echo');
const slow = fn('slow', 1);
const worker = fn('worker');
const tick = fn('tick');

const api = new HttpApi(stack, 'Http', {
  defaultIntegration: new HttpLambdaIntegration('NotFound', fn('not-found')),
  createDefaultStage: false,
});
new HttpStage(stack, 'Stage', {
  httpApi: api,
  stageName: '$default',
  autoDeploy: true,
  throttle: { rateLimit: 1_000, burstLimit: 2_000 },
});
const echoes = new HttpLambdaIntegration('Echo', echo);
api.addRoutes({ path: '/items/{id}', methods: [HttpMethod.GET, HttpMethod.POST], integration: echoes });
api.addRoutes({ path: '/items/fixed', methods: [HttpMethod.GET], integration: echoes });
api.addRoutes({ path: '/items/{id}/{part}', methods: [HttpMethod.GET], integration: echoes });
api.addRoutes({ path: '/slow', methods: [HttpMethod.GET], integration: new HttpLambdaIntegration('Slow', slow) });

new EventSourceMapping(worker, 'Messages', {
  target: worker,
  eventSourceArn: queue.queueArn,
  batchSize: 10,
  maxConcurrency: 2,
  reportBatchItemFailures: true,
});
new CfnSchedule(tick, 'Schedule', {
  scheduleExpression: 'rate(1 minute)',
  flexibleTimeWindow: { mode: 'OFF' },
  target: {
    arn: tick.functionArn,
    roleArn: tick.role?.roleArn ?? '',
    input: JSON.stringify({ scheduledAt: '<aws.scheduler.scheduled-time>' }),
  },
});
app.synth();
