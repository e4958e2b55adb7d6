import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAssembly } from '#tools/local/assembly.ts';
import { createResolver, Template } from '#tools/local/template.ts';
import { temporaryFolder, tinyAssembly } from './tiny-stack.ts';

const CONTEXT = { queueUrl: (name: string) => `http://queues/${name}`, apiUrl: 'http://api' };

/** The tiny assembly with one template text changed. */
const changed = (change: (text: string) => string): string => {
  const folder = temporaryFolder();
  cpSync(tinyAssembly(), folder, { recursive: true });
  for (const file of globSync('*.template.json', { cwd: folder })) {
    const path = join(folder, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  }
  return folder;
};
const read = (change: (text: string) => string) => () => readAssembly(changed(change), CONTEXT);

test('the tiny app: names, exports and assets are resolved', () => {
  const model = readAssembly(tinyAssembly(), CONTEXT);
  const [queue] = model.queues.filter(({ name }) => name.includes('Work'));
  const worker = model.functions.find(({ id }) => id === 'worker');
  expect(worker?.environment).toEqual({
    TABLE_NAME: model.tables[0]?.name,
    RAW_BUCKET_NAME: model.buckets[0],
    QUEUE_WORK_URL: `http://queues/${queue?.name}`,
  });
  expect(worker?.codeFolder).toContain('asset.');
  expect(JSON.parse(queue?.attributes.RedrivePolicy ?? '')).toMatchObject({ maxReceiveCount: 2 });
  expect(model.mappings[0]).toMatchObject({ queueArn: queue?.arn, maxConcurrency: 2 });
  expect(model.api.routes.map(({ routeKey }) => routeKey).sort()).toEqual([
    '$default',
    'GET /items/fixed',
    'GET /items/{id}',
    'GET /items/{id}/{part}',
    'GET /slow',
    'POST /items/{id}',
  ]);
  expect(model.buckets[0]).toMatch(/^[a-z0-9.-]{3,63}$/);
});

test('a queue and a table are called what the template calls them', () => {
  const named = read((text) =>
    text
      .replace('"VisibilityTimeout": 60', '"VisibilityTimeout": 60, "QueueName": "its-own"')
      .replace('"BillingMode"', '"TableName": "its-table", "BillingMode"'),
  )();
  const queue = named.queues.find(({ visibilityMs }) => visibilityMs === 60_000);
  expect(queue).toMatchObject({ name: 'its-own', arn: 'arn:aws:sqs:us-east-1:000000000000:its-own' });
  expect(queue?.attributes).not.toHaveProperty('QueueName');
  expect(named.mappings[0]?.queueArn).toBe(queue?.arn);
  expect(named.tables[0]?.name).toBe('its-table');
});

test('dead letters that a queue names by their ARN are those of that name', () => {
  const byName =
    '{"Fn::Join": ["", ["arn:", {"Ref": "AWS::Partition"}, ":sqs:", {"Ref": "AWS::Region"}, ":", {"Ref": "AWS::AccountId"}, ":shared"]]}';
  const { queues } = read((text) =>
    text
      .replace(/("DeadLetters\w+": \{\s*"Type": "AWS::SQS::Queue",)/, '$1 "Properties": {"QueueName": "shared"},')
      .replace(/("deadLetterTargetArn": )\{[^}]*\}/, `$1${byName}`),
  )();
  const dead = queues.find(({ name }) => name === 'shared');
  const [redrive] = queues.flatMap(({ attributes }) => attributes.RedrivePolicy ?? []);
  expect(dead).toBeDefined();
  expect(JSON.parse(redrive ?? '{}').deadLetterTargetArn).toBe(dead?.arn);
});

describe('what AWS refuses at deploy is refused at start', () => {
  test.each([
    ['"VisibilityTimeout": 60', '"VisibilityTimeout": 5', 'above the visibility time-out'],
    ['"BatchSize": 10', '"BatchSize": 11', 'needs a batching window'],
    ['"MaximumConcurrency": 2', '"MaximumConcurrency": 1', 'outside 2..1000'],
    ['"MaximumConcurrency": 2', '"MaximumConcurrency": 1001', 'outside 2..1000'],
    ['"AWS::Scheduler::Schedule"', '"AWS::Events::Rule"', 'AWS::Events::Rule is unknown to the local runner'],
    ['"PayloadFormatVersion": "2.0"', '"PayloadFormatVersion": "1.0"', 'PayloadFormatVersion'],
    ['"tiny-data:ExportsOutputRefTable', '"tiny-data:NoSuchExportRefTable', 'no stack exports it'],
  ])('%s → %s', (from, to, message) => {
    // In the exporting stack the name stays unchanged.
    const only = to.includes('NoSuch')
      ? (text: string) => (text.includes('Fn::ImportValue') ? text.replaceAll(from, to) : text)
      : (text: string) => text.replaceAll(from, to);
    expect(read(only)).toThrow(message);
  });
});

describe('features that no template of ours contains are refused by name', () => {
  test.each([
    ['"ProtocolType": "HTTP"', '"CorsConfiguration": { "AllowOrigins": ["*"] }', 'CorsConfiguration'],
    ['"RouteKey": "GET /slow"', '"RouteKey": "ANY /slow"', 'RouteKey'],
    ['"RouteKey": "GET /slow"', '"RouteKey": "GET /{proxy+}"', 'RouteKey'],
    ['"RouteKey": "$default"', '"RouteKey": "GET /other"', 'one route $default'],
    ['"PayloadFormatVersion": "2.0"', '"TimeoutInMillis": 5000', 'TimeoutInMillis'],
    ['"BatchSize": 10', '"MaximumBatchingWindowInSeconds": 1', 'MaximumBatchingWindowInSeconds'],
    ['"BatchSize": 10', '"FilterCriteria": {}', 'FilterCriteria'],
    ['"VisibilityTimeout": 60', '"FifoQueue": true', 'FifoQueue'],
    ['"ScheduleExpression": "rate(1 minute)"', '"ScheduleExpression": "cron(0 9 * * ? *)"', 'ScheduleExpression'],
    ['"ScheduleExpression": "rate(1 minute)"', '"State": "DISABLED"', 'State'],
    ['"Mode": "OFF"', '"Mode": "FLEXIBLE"', 'FlexibleTimeWindow.Mode'],
    ['"ProjectionType": "KEYS_ONLY"', '"ProjectionType": "ALL"', 'ProjectionType'],
    ['"Handler": "index.handler"', '"Handler": "main.handler"', 'Handler'],
    ['"Type": "AWS::SQS::Queue"', '"Condition": "IsLocal"', 'Condition'],
    ['"Resources": {', '"Conditions": {}', 'Conditions'],
    ['"Type": "AWS::S3::Bucket"', '"Type": "AWS::DynamoDB::GlobalTable"', 'AWS::DynamoDB::GlobalTable'],
  ])('%s → %s', (from, to, message) => {
    // Instead of a value, or next to it.
    const isReplaced = from.split(':')[0] === to.split(':')[0];
    expect(read((text) => text.replaceAll(from, isReplaced ? to : `${to}, ${from}`))).toThrow(message);
  });
});

describe('intrinsic functions', () => {
  const resolve = createResolver({
    template: Template.parse({ Resources: { Queue: { Type: 'AWS::SQS::Queue' } } }),
    region: 'us-east-1',
    account: '000000000000',
    exported: (name) => (name === 'known' ? 'exported' : undefined),
    identify: (logicalId) => ({ ref: `ref:${logicalId}`, attributes: { Arn: `arn:${logicalId}` } }),
  });
  /** CloudFormation's own placeholder. */
  const hole = (name: string): string => ['$', '{', name, '}'].join('');
  test.each([
    [{ Ref: 'Queue' }, 'ref:Queue'],
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ Ref: 'AWS::Partition' }, 'aws'],
    [{ Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:Queue'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Queue' }]] }, 'a-ref:Queue'],
    [{ 'Fn::Sub': [hole('AWS::AccountId'), hole('AWS::Region')].join('/') }, '000000000000/us-east-1'],
    [{ 'Fn::ImportValue': 'known' }, 'exported'],
    [{ kept: [1, { Ref: 'Queue' }] }, { kept: [1, 'ref:Queue'] }],
  ])('%j', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });
  test.each([
    [{ Ref: 'Nobody' }, 'Nobody'],
    [{ Ref: 'AWS::NoValue' }, 'AWS::NoValue'],
    [{ 'Fn::GetAtt': ['Queue', 'Colour'] }, 'Queue.Colour'],
    [{ 'Fn::ImportValue': 'unknown' }, 'no stack exports it'],
    [{ 'Fn::Sub': [hole('Own'), { Own: 'x' }] }, 'a string was expected'],
    [{ 'Fn::Sub': hole('Queue.Arn') }, 'Queue.Arn, which does not exist'],
    ...['Fn::If', 'Fn::Select', 'Fn::Split', 'Fn::FindInMap', 'Fn::Base64'].map((name): [unknown, string] => [
      { [name]: ['a', 'b', 'c'] },
      `${name} is unknown`,
    ]),
  ])('refuses %j', (value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});
