/** The one place that creates functions: code, role, log group, and nothing that it was not given. */
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
  /** Folder with one folder of code per function id; null: a placeholder, where only the template matters. */
  bundleDir: string | null;
  /** Besides logs and traces. */
  statements: PolicyStatement[];
  environment: Record<string, string>;
  /** Does X-Ray record one request a second and one of twenty beyond (AWS's documents)? Else none. */
  isTraced: boolean;
  /** Its queue may bring what it sent itself, on purpose. */
  mayCallItself?: boolean;
}

const PLACEHOLDER = "exports.handler = async () => { throw new Error('synthesized without bundle'); };";

/** @param scope of its own: what belongs to the function has the same name in every one */
export const makeFunction = (
  scope: Construct,
  { functionId, timeoutSeconds, memoryMb }: Deployable,
  { stage, bundleDir, statements, environment, isTraced, mayCallItself = false }: FunctionSettings,
): LambdaFunction => {
  const logGroup = new LogGroup(scope, 'Logs', {
    retention: stage.logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  // Inline, so that a function costs three resources and its permissions exist before its triggers do.
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
    code: bundleDir === null ? Code.fromInline(PLACEHOLDER) : Code.fromAsset(join(bundleDir, functionId)),
    timeout: Duration.seconds(timeoutSeconds),
    memorySize: memoryMb,
    loggingFormat: LoggingFormat.JSON,
    // A failed or timed-out invocation is told, each one's start and report are not (AWS's documents; docs/adr/0022).
    systemLogLevelV2: SystemLogLevel.WARN,
    logGroup,
    // By setting, not by a library in every bundle (docs/adr/0008).
    tracing: isTraced ? Tracing.ACTIVE : Tracing.PASS_THROUGH,
    // As it is: the CDK would add a policy of its own to each for the traces.
    role: role.withoutPolicyUpdates(),
    // By AWS's documents Lambda cuts a chain of some 16 invocations that call each other through queues: a long sync is one.
    ...(mayCallItself ? { recursiveLoop: RecursiveLoop.ALLOW } : {}),
    environment,
  });
};
