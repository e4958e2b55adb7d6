/**
 * The only place that creates functions. Each function gets its code, a role, a log group, and only the permissions in
 * `statements`.
 */
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
import type { Construct } from 'constructs';
import type { Deployable } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';

interface FunctionSettings {
  stage: Stage;
  /**
   * Folder that contains one folder of code per function id; null for placeholder code, when only the template matters.
   */
  bundleDir: string | null;
  /** Permissions of the function in addition to those for logs and traces. */
  statements: PolicyStatement[];
  environment: Record<string, string>;
  /**
   * True if X-Ray records the first request of each second and one of twenty further requests (AWS's documents);
   * otherwise X-Ray records no request.
   */
  isTraced: boolean;
  /** True if Lambda logs the memory and the duration of each invocation. */
  isReported?: boolean;
  /** True if the function intentionally receives messages that it sent itself. */
  mayCallItself?: boolean;
}

const PLACEHOLDER = "exports.handler = async () => { throw new Error('synthesized without bundle'); };";

/** Key of the app's context that is set if the code of functions is bundled after the synthesis. */
export const BUNDLED_LATER = 'data-connections:bundled-later';

/**
 * Returns the function's code, whose key in the asset bucket is its hash. Code that is bundled later has no hash yet, so
 * its key is the function's id. Such an app must not be deployed: CloudFormation would not see that the code changed.
 */
const codeOf = (scope: Construct, bundleDir: string, functionId: string): Code => {
  const isBundledLater = scope.node.tryGetContext(BUNDLED_LATER) === true;
  const assetHash = createHash('sha256').update(functionId).digest('hex');
  return Code.fromAsset(join(bundleDir, functionId), isBundledLater ? { assetHash } : {});
};

/**
 * @param scope a construct for this function only, because the ids of the function's resources are the same for every
 * function
 */
export const makeFunction = (
  scope: Construct,
  { functionId, timeoutSeconds, memoryMb }: Deployable,
  { stage, bundleDir, statements, environment, isTraced, isReported = false, mayCallItself = false }: FunctionSettings,
): LambdaFunction => {
  const logGroup = new LogGroup(scope, 'Logs', {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  // Inline policies are no resources of their own, so a function has only three resources, and its permissions exist
  // before its triggers.
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
          // This permission cannot be limited to a resource.
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
    // Lambda always logs failed and timed-out invocations. Level INFO adds the start and the report of each invocation
    // (AWS's documents; docs/adr/0022).
    systemLogLevelV2: isReported ? SystemLogLevel.INFO : SystemLogLevel.WARN,
    logGroup,
    // This setting enables traces, so no bundle needs a tracing library (docs/adr/0008).
    tracing: isTraced ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
    // Without this call the CDK would add a separate policy for traces to each role.
    role: role.withoutPolicyUpdates(),
    // Allows functions that send messages to themselves: otherwise Lambda stops a chain of about 16 invocations that
    // call each other through queues (AWS's documents), and a long sync is such a chain.
    ...(mayCallItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    environment,
  });
};
