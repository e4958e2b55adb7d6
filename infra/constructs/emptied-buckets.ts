/**
 * Buckets that are emptied before they are deleted (docs/adr/0024), where a stage does not keep its data. Each is a custom
 * resource that depends on its bucket, so that CloudFormation deletes it, and with it what is in the bucket, first.
 */
import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Emptied } from '#functions/empty-bucket/contract.ts';
import { EMPTY_FUNCTION } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { makeFunction } from './make-function.ts';

/** A function that cannot answer keeps a deletion waiting a minute longer than it may run, not an hour. */
const ANSWER_WITHIN = Duration.seconds(EMPTY_FUNCTION.timeoutSeconds + 60);

interface EmptiedBucketsProps {
  stage: Stage;
  /** As with every function; null: a placeholder. */
  bundleDir: string | null;
  /** By the name of the construct that stands for its end. */
  buckets: Readonly<Record<string, Bucket>>;
}

export class EmptiedBuckets extends Construct {
  constructor(scope: Construct, id: string, { stage, bundleDir, buckets }: EmptiedBucketsProps) {
    super(scope, id);
    const all = Object.values(buckets);
    const lambda = makeFunction(this, EMPTY_FUNCTION, {
      stage,
      bundleDir,
      statements: [
        new PolicyStatement({ actions: ['s3:ListBucket'], resources: all.map(({ bucketArn }) => bucketArn) }),
        new PolicyStatement({ actions: ['s3:DeleteObject'], resources: all.map((each) => each.arnForObjects('*')) }),
        new PolicyStatement({ actions: ['cloudformation:DescribeStacks'], resources: [Stack.of(this).stackId] }),
      ],
      environment: { STAGE: stage.name },
      isTraced: false,
    });
    for (const [name, { bucketName }] of Object.entries(buckets)) {
      const properties: Emptied = { bucket: bucketName };
      new CustomResource(this, name, {
        resourceType: 'Custom::EmptiedBucket',
        serviceToken: lambda.functionArn,
        serviceTimeout: ANSWER_WITHIN,
        properties,
      });
    }
  }
}
