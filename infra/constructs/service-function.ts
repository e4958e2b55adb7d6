/** The one place that creates functions. Role, variables and code follow from the manifest entry. */
import { join } from 'node:path';
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type FunctionManifest, variantScope } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { dueIndexGrant, type Grant, grantOf, type SharedResources } from './apply-need.ts';
import { baseEnvironment, sessionStatements } from './base-env.ts';

export interface ServiceContext {
  stage: Stage;
  resources: SharedResources;
  /** Folder with one folder of code per function id; null: a placeholder, where only the template matters. */
  bundleDir: string | null;
}

/** `list-connections` → `ListConnections`. */
export const pascal = (kebab: string): string =>
  kebab.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());

const PLACEHOLDER = "exports.handler = async () => { throw new Error('synthesized without bundle'); };";

const grantsOf = (fn: FunctionManifest, { stage, resources }: ServiceContext): Grant[] => {
  const grants = fn.contract.needs.map((need) => grantOf(need, stage, resources));
  if (fn.kind === 'endpoint') {
    return fn.contract.auth === 'public'
      ? grants
      : [...grants, { environment: {}, statements: sessionStatements(stage) }];
  }
  if ('schedule' in fn.trigger) return [...grants, dueIndexGrant(resources)];
  const queue = resources.queues.get(fn.trigger.queue);
  if (queue === undefined) throw new Error(`no queue "${fn.trigger.queue}"`);
  const receive = new PolicyStatement({
    actions: ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    resources: [queue.queueArn],
  });
  const environment = fn.variant === null ? {} : { [VARIABLES.scope]: variantScope(fn.variant) };
  return [...grants, { environment, statements: [receive] }];
};

export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, fn: FunctionManifest, context: ServiceContext) {
    super(scope, pascal(fn.functionId));
    const { stage, bundleDir } = context;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: stage.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const grants = grantsOf(fn, context);
    // Inline, so that a function costs three resources and its permissions exist before its triggers do.
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      description: fn.functionId,
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
            ...grants.flatMap(({ statements }) => statements),
          ],
        }),
      },
    });
    this.lambda = new LambdaFunction(this, 'Fn', {
      description: fn.functionId,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: bundleDir === null ? Code.fromInline(PLACEHOLDER) : Code.fromAsset(join(bundleDir, fn.functionId)),
      timeout: Duration.seconds(fn.timeoutSeconds),
      memorySize: fn.memoryMb,
      loggingFormat: LoggingFormat.JSON,
      logGroup,
      // By setting, not by a library in every bundle (docs/adr/0008).
      tracing: Tracing.ACTIVE,
      // As it is: the CDK would add a policy of its own to each for the traces.
      role: role.withoutPolicyUpdates(),
      environment: Object.assign(baseEnvironment(stage), ...grants.map(({ environment }) => environment)),
    });
  }
}
