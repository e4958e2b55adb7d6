/**
 * Buckets that are emptied before they are deleted (docs/adr/0024), for stages that do not retain their data. A custom
 * resource depends on each bucket. CloudFormation therefore first deletes the custom resource, which deletes the
 * bucket's objects, and then the bucket.
 */
import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { Emptied } from '#functions/empty-bucket/contract.ts';
import { EMPTY_FUNCTION } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { makeFunction } from './make-function.ts';

/**
 * If the function cannot answer, CloudFormation stops waiting one minute after the function's timeout, instead of after
 * an hour.
 */
const ANSWER_WITHIN = Duration.seconds(EMPTY_FUNCTION.timeoutSeconds + 60);

interface EmptiedBucketsProps {
  stage: Stage;
  /** Folder of the bundles; null for a placeholder. */
  bundleDir: string | null;
  /** Id of the construct that empties the bucket → bucket. */
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
