/** The only place that creates functions: code, role, log group, and only the permissions that it is given. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  RecursiveLoop,
  Runtime,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { DISABLE_ASSET_STAGING_CONTEXT } from 'aws-cdk-lib/cx-api';
import type { Construct } from 'constructs';
import type { Deployable } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';

interface FunctionSettings {
  stage: Stage;
  /** Folder with one folder of code per function id; null for a placeholder, when only the template matters. */
  bundleDir: string | null;
  /** In addition to logs and traces. */
  statements: PolicyStatement[];
  environment: Record<string, string>;
  /**
   * True if X-Ray records one request per second and one of twenty beyond that (AWS's documents); otherwise it records
   * none.
   */
  isTraced: boolean;
  /** The function intentionally receives messages that it sent itself. */
  mayCallItself?: boolean;
}

const PLACEHOLDER = "exports.handler = async () => { throw new Error('synthesized without bundle'); };";

/**
 * The key of the code is its hash. Without staging the code need not exist yet, so the key is the function's id.
 */
const codeOf = (scope: Construct, bundleDir: string, functionId: string): Code => {
  const isStaged = scope.node.tryGetContext(DISABLE_ASSET_STAGING_CONTEXT) === undefined;
  const assetHash = createHash('sha256').update(functionId).digest('hex');
  return Code.fromAsset(join(bundleDir, functionId), isStaged ? {} : { assetHash });
};

/** @param scope a separate scope, because the function's resources have the same ids in every one */
export const makeFunction = (
  scope: Construct,
  { functionId, timeoutSeconds, memoryMb }: Deployable,
  { stage, bundleDir, statements, environment, isTraced, mayCallItself = false }: FunctionSettings,
): LambdaFunction => {
  const logGroup = new LogGroup(scope, 'Logs', {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  // Inline, so that a function has only three resources and its permissions exist before its triggers.
  const role = new Role(scope, 'Role', {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    description: functionId,
    inlinePolicies: {
      needs: new PolicyDocument({
        minimize: true,
        statements: [
          new PolicyStatement({
            actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
            resources: [logGroup.logGroupArn],
          }),
          // AWS has no resource for traces.
          new PolicyStatement({
            actions: ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
            resources: ['*'],
          }),
          ...statements,
        ],
      }),
    },
  });
  return new LambdaFunction(scope, 'Fn', {
    description: functionId,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: bundleDir === null ? Code.fromInline(PLACEHOLDER) : codeOf(scope, bundleDir, functionId),
    timeout: Duration.seconds(timeoutSeconds),
    memorySize: memoryMb,
    loggingFormat: LoggingFormat.JSON,
    // Failed and timed-out invocations are logged; the start and report of each invocation are not (AWS's documents;
    // docs/adr/0022).
    systemLogLevelV2: SystemLogLevel.WARN,
    logGroup,
    // Enabled by a setting instead of a library in every bundle (docs/adr/0008).
    tracing: isTraced ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
    // Otherwise the CDK would add a separate policy for traces to each role.
    role: role.withoutPolicyUpdates(),
    // From AWS's documents: Lambda stops a chain of about 16 invocations that call each other through queues, and a
    // long sync is such a chain.
    ...(mayCallItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    environment,
  });
};
