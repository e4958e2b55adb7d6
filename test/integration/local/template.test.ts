import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAssembly } from '#infra/local/assembly.ts';
import { createResolver, Template } from '#infra/local/template.ts';
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
  expect(model.mappings[0]).toMatchObject({ queueArn: queue?.arn, maxConcurrency: 2, reportsItemFailures: true });
  expect(model.api.routes.map(({ routeKey }) => routeKey).sort()).toEqual([
    '$default',
    'ANY /items/{proxy+}',
    'GET /items/fixed',
    'GET /items/{id}',
    'GET /slow',
    'POST /items/{id}',
  ]);
  expect(model.buckets[0]).toMatch(/^[a-z0-9.-]{3,63}$/);
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
    // Of the exporting stack the name stays as it is.
    const only = to.includes('NoSuch')
      ? (text: string) => (text.includes('Fn::ImportValue') ? text.replaceAll(from, to) : text)
      : (text: string) => text.replaceAll(from, to);
    expect(read(only)).toThrow(message);
  });
  test('a batch above 10 with a window is fine', () => {
    const windowed = (text: string) =>
      text.replaceAll('"BatchSize": 10', '"BatchSize": 50, "MaximumBatchingWindowInSeconds": 1');
    expect(read(windowed)().mappings[0]).toMatchObject({ batchSize: 50, windowMs: 1000 });
  });
});

describe('intrinsic functions', () => {
  const template = Template.parse({
    Resources: { Queue: { Type: 'AWS::SQS::Queue' } },
    Parameters: { Stage: { Type: 'String', Default: 'local' } },
    Mappings: { Zones: { 'us-east-1': { id: 'Z1' } } },
    Conditions: {
      IsLocal: {
        'Fn::And': [{ 'Fn::Equals': [{ Ref: 'Stage' }, 'local'] }, { 'Fn::Not': [{ 'Fn::Equals': ['a', 'b'] }] }],
      },
    },
  });
  const { resolve } = createResolver({
    stackName: 'stack',
    template,
    region: 'us-east-1',
    account: '000000000000',
    exported: (name) => (name === 'known' ? 'exported' : undefined),
    identify: (logicalId) => ({ ref: `ref:${logicalId}`, attributes: { Arn: `arn:${logicalId}` } }),
  });
  /** CloudFormation's own placeholder. */
  const hole = (name: string): string => ['$', '{', name, '}'].join('');
  test.each([
    [{ Ref: 'Queue' }, 'ref:Queue'],
    [{ Ref: 'Stage' }, 'local'],
    [{ Ref: 'AWS::Region' }, 'us-east-1'],
    [{ 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:Queue'],
    [{ 'Fn::GetAtt': 'Queue.Arn' }, 'arn:Queue'],
    [{ 'Fn::Join': ['-', ['a', { Ref: 'Queue' }]] }, 'a-ref:Queue'],
    [
      { 'Fn::Sub': [hole('AWS::AccountId'), hole('Queue'), hole('Queue.Arn'), hole('!Kept')].join('/') },
      `000000000000/ref:Queue/arn:Queue/${hole('Kept')}`,
    ],
    [{ 'Fn::Sub': [hole('Own'), { Own: { Ref: 'Stage' } }] }, 'local'],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b'] }] }, 'b'],
    [{ 'Fn::ImportValue': 'known' }, 'exported'],
    [{ 'Fn::FindInMap': ['Zones', { Ref: 'AWS::Region' }, 'id'] }, 'Z1'],
    [{ 'Fn::If': ['IsLocal', 'yes', 'no'] }, 'yes'],
    [{ kept: 1, gone: { Ref: 'AWS::NoValue' } }, { kept: 1 }],
  ])('%j', (value, expected) => {
    expect(resolve(value)).toEqual(expected);
  });
  test.each([
    [{ Ref: 'Nobody' }, 'Nobody'],
    [{ 'Fn::GetAtt': ['Queue', 'Colour'] }, 'Queue.Colour'],
    [{ 'Fn::ImportValue': 'unknown' }, 'no stack exports it'],
    [{ 'Fn::Base64': 'a' }, 'Fn::Base64 is unknown'],
    [{ 'Fn::Select': [2, ['a']] }, 'out of range'],
  ])('refuses %j', (value, message) => {
    expect(() => resolve(value)).toThrow(message);
  });
});
