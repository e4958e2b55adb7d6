/**
 * Everything that survives a deploy: the table, the buckets, the keys, the queues that every stage has, and the group
 * and the role of the connections' schedules. The exports do not depend on the scopes that are synchronized, and are
 * never renamed.
 */
import { Duration, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type LifecycleRule } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import type { SharedResources } from '#infra/constructs/apply-need.ts';
import { ConnectionSchedules } from '#infra/constructs/connection-schedules.ts';
import { EmptiedBuckets } from '#infra/constructs/emptied-buckets.ts';
import { makeTables } from '#infra/constructs/stage-table.ts';
import { makeDeadLetters, WorkQueue } from '#infra/constructs/work-queue.ts';
import { QUEUE_CONSUMERS, SCOPE_QUEUES } from '#infra/manifest.ts';
import { ALL_SCOPES, pascal } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { PLATFORM_LIMITS } from '#shared/platform/limits.ts';
import { SNAPSHOT_FOLDER } from '#shared/platform/needs.ts';

export class DataStack extends Stack {
  readonly resources: SharedResources;

  constructor(
    scope: Construct,
    id: string,
    { stage, bundleDir, ...props }: StackProps & { stage: Stage; bundleDir: string | null },
  ) {
    super(scope, id, props);
    // If the first deploy fails, its rollback deletes the empty resources, so that the deploy can be repeated.
    const removalPolicy = stage.retainsData ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY;
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

    const bucket = (name: string, lifecycle: LifecycleRule, ...more: LifecycleRule[]) =>
      new Bucket(this, name, {
        encryption: BucketEncryption.KMS,
        encryptionKey: dataKey,
        bucketKeyEnabled: true,
        blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
        enforceSSL: true,
        // The bucket is not versioned, so that a deleted object has no earlier version that remains after a purge.
        lifecycleRules: [{ abortIncompleteMultipartUploadAfter: Duration.days(1), ...lifecycle }, ...more],
        removalPolicy,
      });
    const rawAnswers = bucket(
      'RawAnswers',
      { expiration: Duration.days(PLATFORM_LIMITS.retentionDays) },
      // A day at the shortest, and up to two: S3 rounds to midnight (AWS's documents).
      { prefix: `${SNAPSHOT_FOLDER}/`, expiration: Duration.days(1) },
    );
    // Documents do not expire: the purge of a connection deletes the connection's documents.
    const documents = bucket('Documents', {});
    // The local runner uses a folder instead of buckets, and needs no custom resource to delete it.
    if (!stage.retainsData && stage.name !== 'local')
      new EmptiedBuckets(this, 'EmptyBuckets', {
        stage,
        bundleDir,
        buckets: { RawAnswers: rawAnswers, Documents: documents },
      });

    for (const { queue: name, consumer } of QUEUE_CONSUMERS.filter(({ queue }) => !SCOPE_QUEUES.includes(queue))) {
      const { timeoutSeconds: consumerTimeoutSeconds } = consumer;
      new WorkQueue(this, pascal(name), { stage: stage.name, name, consumerTimeoutSeconds, sharedDeadLetters: null });
    }
    // The data stack owns the scopes' dead-letter queue, because the sync stack removes the queue of a scope that is
    // switched off, and dead letters must survive that.
    makeDeadLetters(this, 'ScopesDeadLetters', { stage: stage.name, of: ALL_SCOPES });
    // The data stack owns the group of schedules, because CloudFormation deletes the schedules together with their
    // group.
    const schedules = new ConnectionSchedules(this, 'ConnectionSchedules', { stage: stage.name, removalPolicy });
    this.resources = { rawAnswers, documents, dataKey, secretsKey, schedules };
    this.exportAll(this.resources);

    const others = [...this.node.children];
    const tables = makeTables(this, { stage, dataKey, removalPolicy });
    // The rollback of a first deploy cannot delete a table that is protected from deletion (AWS's documents). So the
    // table is created when nothing else of the stack can fail.
    if (stage.retainsData) for (const table of tables) table.node.addDependency(...others);
  }

  /**
   * The exports are unconditional, because CloudFormation does not remove an export that another stack still imports.
   */
  private exportAll({ rawAnswers, documents, dataKey, secretsKey, schedules }: SharedResources): void {
    for (const { bucketArn, bucketName } of [rawAnswers, documents]) {
      this.exportValue(bucketArn);
      this.exportValue(bucketName);
    }
    for (const { keyArn } of [dataKey, secretsKey]) this.exportValue(keyArn);
    this.exportValue(schedules.group.ref);
    this.exportValue(schedules.role.roleArn);
  }
}
