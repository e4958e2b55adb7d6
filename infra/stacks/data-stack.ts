/**
 * Everything that outlives a deploy: table, buckets, keys, queues, and the group of the connections' schedules with the
 * role they send with. Nothing else is exported to other stacks, and nothing exported is ever renamed.
 */
import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { DUE_INDEX_NAME, type SharedResources } from '#infra/constructs/apply-need.ts';
import { ConnectionSchedules } from '#infra/constructs/connection-schedules.ts';
import { WorkQueue } from '#infra/constructs/work-queue.ts';
import { QUEUE_CONSUMERS } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { LIMITS } from '#shared/platform/limits.ts';

export class DataStack extends Stack {
  readonly resources: SharedResources;

  constructor(scope: Construct, id: string, { stage, ...props }: StackProps & { stage: Stage }) {
    super(scope, id, props);
    const removalPolicy = stage.retainsData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY;
    const dataKey = new Key(this, 'DataKey', {
      description: `${id}: table and raw answers at rest`,
      enableKeyRotation: true,
      removalPolicy,
    });
    const secretsKey = new Key(this, 'SecretsKey', {
      description: `${id}: credentials, webhook secrets, kept sessions`,
      enableKeyRotation: true,
      removalPolicy,
    });

    const table = new Table(this, 'Table', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      encryption: TableEncryption.CUSTOMER_MANAGED,
      encryptionKey: dataKey,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      timeToLiveAttribute: 'expires_at_epoch',
      deletionProtection: stage.retainsData,
      removalPolicy,
    });
    table.addGlobalSecondaryIndex({
      indexName: DUE_INDEX_NAME,
      partitionKey: { name: 'due_pk', type: AttributeType.STRING },
      sortKey: { name: 'due_sk', type: AttributeType.STRING },
      projectionType: ProjectionType.KEYS_ONLY,
    });

    const bucket = (name: string, lifecycle: LifecycleRule) =>
      new Bucket(this, name, {
        encryption: BucketEncryption.KMS,
        encryptionKey: dataKey,
        bucketKeyEnabled: true,
        blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
        enforceSSL: true,
        // Not versioned: what a purge deletes is gone.
        lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1), ...lifecycle }],
        removalPolicy,
      });
    const rawAnswers = bucket('RawAnswers', { expiration: Duration.days(LIMITS.retentionDays) });
    // They live as long as their connection: the purge removes them.
    const documents = bucket('Documents', {});

    const made = QUEUE_CONSUMERS.map(
      ({ queue, consumer }) => [queue, new WorkQueue(this, queue, consumer.timeoutSeconds)] as const,
    );
    const queues = new Map(made.map(([name, { queue }]) => [name, queue]));
    // The dashboard imports them, which prod alone has now: a stack that was deployed before must still be updated.
    for (const queue of queues.values()) this.exportValue(queue.queueName);
    const deadLetters = new Map(made.map(([name, work]) => [name, work.deadLetters]));
    // Deleting a group deletes the schedules in it, so that it belongs with the data, not with the workers.
    const target = queues.get('sync-requests')!;
    const schedules = new ConnectionSchedules(this, 'ConnectionSchedules', { target, removalPolicy });
    this.resources = { table, rawAnswers, documents, dataKey, secretsKey, queues, deadLetters, schedules };
  }
}
