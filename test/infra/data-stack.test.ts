import { describe, expect, it } from 'vitest';
import { DEAD_LETTERS, QUEUE_CONSUMERS, SCOPE_QUEUES } from '#infra/manifest.ts';
import { type Json, ofType, plainArn, type Resource, STAGE_NAMES, type Template, templatesOf } from './synthesized.ts';

/** The queue of an ARN: a reference within its own stack, a name in another stack. */
const queueOf = (stage: string, arn: Json): Resource =>
  ofType(stage, 'AWS::SQS::Queue').find(({ logicalId, properties: { QueueName } }) =>
    [`${logicalId}.Arn`, `arn:AWS::Partition:sqs:AWS::Region:AWS::AccountId:${QueueName}`].includes(
      plainArn(stage, arn),
    ),
  )!;

const isDeadLetters = ({ properties }: Resource) => properties.RedrivePolicy === undefined;

describe.each(STAGE_NAMES)('data of stage %s', (stage) => {
  it('has the table of architecture §4', () => {
    const tables = ofType(stage, 'AWS::DynamoDB::Table');
    expect(tables).toHaveLength(1);
    expect(tables[0]!.properties).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: ['pk', 'sk', 'due_pk', 'due_sk'].map((AttributeName) => ({
        AttributeName,
        AttributeType: 'S',
      })),
      GlobalSecondaryIndexes: [
        {
          IndexName: 'due',
          KeySchema: [
            { AttributeName: 'due_pk', KeyType: 'HASH' },
            { AttributeName: 'due_sk', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
      TimeToLiveSpecification: { AttributeName: 'expires_at_epoch', Enabled: true },
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
      SSESpecification: { SSEEnabled: true, SSEType: 'KMS' },
      BillingMode: 'PAY_PER_REQUEST',
      DeletionProtectionEnabled: stage === 'prod',
    });
  });

  it.each([
    [
      'RawAnswers',
      [
        { ExpirationInDays: 90, Status: 'Enabled' },
        { Prefix: 'connection-snapshots/', ExpirationInDays: 1, Status: 'Enabled' },
      ],
    ],
    ['Documents', [{ Status: 'Enabled' }]],
  ])('keeps bucket %s private, encrypted, over TLS', (name, rules) => {
    const buckets = ofType(stage, 'AWS::S3::Bucket');
    expect(buckets).toHaveLength(2);
    const bucket = buckets.find(({ logicalId }) => logicalId.startsWith(name));
    expect(bucket!.properties).toMatchObject({
      PublicAccessBlockConfiguration: {
        BlockPublicAcls: true,
        BlockPublicPolicy: true,
        IgnorePublicAcls: true,
        RestrictPublicBuckets: true,
      },
      LifecycleConfiguration: { Rules: rules },
    });
    if (name === 'Documents')
      expect(bucket!.properties.LifecycleConfiguration.Rules[0].ExpirationInDays).toBeUndefined();
    const [encryption] = bucket!.properties.BucketEncryption.ServerSideEncryptionConfiguration;
    expect(encryption.ServerSideEncryptionByDefault.SSEAlgorithm).toBe('aws:kms');
    const policy = ofType(stage, 'AWS::S3::BucketPolicy').find(
      ({ properties }) => properties.Bucket.Ref === bucket!.logicalId,
    );
    expect(policy!.properties.PolicyDocument.Statement).toContainEqual(
      expect.objectContaining({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
    );
  });

  it('empties each bucket before it is deleted where a stage does not keep its data, and nowhere else', () => {
    const emptied = ofType(stage, 'Custom::EmptiedBucket');
    if (stage === 'prod' || stage === 'local') {
      expect(emptied).toEqual([]);
      expect(JSON.stringify(ofType(stage, 'AWS::IAM::Role'))).not.toContain('cloudformation:');
      return;
    }
    // By reference, so that CloudFormation deletes the function's resource before the bucket.
    expect(emptied.map(({ properties }) => properties.bucket.Ref).sort()).toEqual(
      ofType(stage, 'AWS::S3::Bucket')
        .map(({ logicalId }) => logicalId)
        .sort(),
    );
    const fn = ofType(stage, 'AWS::Lambda::Function').find(
      ({ properties }) => properties.Description === 'empty-bucket',
    )!;
    for (const { properties, deletionPolicy } of emptied) {
      expect(deletionPolicy).toBe('Delete');
      expect(properties.ServiceToken).toEqual({ 'Fn::GetAtt': [fn.logicalId, 'Arn'] });
      expect(Number(properties.ServiceTimeout)).toBe(fn.properties.Timeout + 60);
    }
  });

  it('rotates its keys', () => {
    for (const key of ofType(stage, 'AWS::KMS::Key')) expect(key.properties.EnableKeyRotation).toBe(true);
  });

  it('keeps table, bucket and keys of prod when their stack is deleted, but not when its first deploy fails', () => {
    const types = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket', 'AWS::KMS::Key', 'AWS::Scheduler::ScheduleGroup'];
    const policies = types.flatMap((type) => ofType(stage, type)).map(({ deletionPolicy }) => deletionPolicy);
    expect(new Set(policies)).toEqual(new Set([stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete']));
  });

  it('creates the table of prod after everything that may fail, because no rollback can delete a protected table', () => {
    const { Resources } = templatesOf(stage).get('data')!;
    const [[table, { DependsOn = [] }]] = Object.entries(Resources).filter(
      ([, { Type }]) => Type === 'AWS::DynamoDB::Table',
    ) as [[string, Template['Resources'][string]]];
    const later = Object.keys(Resources).filter((id) => id !== table && !DependsOn.includes(id));
    if (stage === 'prod') expect(later).toEqual([]);
    else expect(DependsOn).toEqual([]);
  });

  it('lets schedules send to their queue and to its dead letters, and nowhere else', () => {
    const role = ofType(stage, 'AWS::IAM::Role').find(({ logicalId }) => logicalId.startsWith('ConnectionSchedules'))!;
    const statements = role.properties.Policies.flatMap(({ PolicyDocument }: Json) => PolicyDocument.Statement);
    expect(statements).toMatchObject([{ Action: 'sqs:SendMessage', Effect: 'Allow' }]);
    const names = statements[0].Resource.map((arn: Json) => queueOf(stage, arn).properties.QueueName);
    const target = `data-connections-${stage}-sync-requests`;
    expect(names).toEqual([target, `${target}-dead-letters`]);
  });

  it('gives every queue dead letters, the scopes one that they share, five attempts, encryption and TLS', () => {
    const queues = ofType(stage, 'AWS::SQS::Queue');
    const work = queues.filter((queue) => !isDeadLetters(queue));
    expect(work).toHaveLength(QUEUE_CONSUMERS.length);
    const targets = work.map(({ properties: { QueueName, RedrivePolicy } }) => {
      expect(RedrivePolicy.maxReceiveCount).toBe(5);
      return [QueueName, queueOf(stage, RedrivePolicy.deadLetterTargetArn).properties.QueueName];
    });
    const name = (queue: string) => `data-connections-${stage}-${queue}`;
    expect(Object.fromEntries(targets)).toEqual(
      Object.fromEntries(
        QUEUE_CONSUMERS.map(({ queue }) => [
          name(queue),
          `${name(SCOPE_QUEUES.includes(queue) ? 'scopes' : queue)}-dead-letters`,
        ]),
      ),
    );
    const deadLetters = queues.filter(isDeadLetters);
    expect(deadLetters.map(({ properties }) => properties.QueueName).sort()).toEqual(
      DEAD_LETTERS.map((queue) => `${name(queue)}-dead-letters`).sort(),
    );
    // Dead letters outlive a scope that is switched off, and stay as long as SQS allows.
    for (const { stack, properties } of deadLetters)
      expect([stack, properties.MessageRetentionPeriod]).toEqual(['data', 14 * 86_400]);
    const denied = ofType(stage, 'AWS::SQS::QueuePolicy').flatMap(({ properties }) => properties.Queues);
    for (const { logicalId, properties } of queues) {
      expect(properties.SqsManagedSseEnabled).toBe(true);
      expect(denied).toContainEqual({ Ref: logicalId });
    }
  });

  it('hides a message for at least six times as long as its function may take', () => {
    const queues = new Map(ofType(stage, 'AWS::SQS::Queue').map((queue) => [queue.logicalId, queue]));
    const functions = new Map(ofType(stage, 'AWS::Lambda::Function').map((fn) => [fn.logicalId, fn]));
    const mappings = ofType(stage, 'AWS::Lambda::EventSourceMapping');
    expect(mappings).toHaveLength(QUEUE_CONSUMERS.length);
    for (const { properties } of mappings) {
      const queue = queues.get(queueOf(stage, properties.EventSourceArn).logicalId)!;
      const fn = functions.get(properties.FunctionName.Ref)!;
      expect(queue.properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * fn.properties.Timeout);
    }
  });
});
