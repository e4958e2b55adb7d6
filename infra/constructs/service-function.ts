/** A function of the service: its permissions and variables follow from the needs of its contract. */
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import { type FunctionManifest, variantScope } from '#infra/manifest.ts';
import { pascal } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';
import { VARIABLES } from '#shared/platform/needs.ts';
import { buildGrant, dueIndexGrant, type SharedResources } from './apply-need.ts';
import { baseEnvironment, sessionStatements } from './base-env.ts';
import type { NeedGrant } from './data-grants.ts';
import { queueArn } from './imported-by-name.ts';
import { makeFunction } from './make-function.ts';

export interface ServiceContext {
  stage: Stage;
  resources: SharedResources;
  /**
   * Folder that contains one folder of code per function id; null for placeholder code, when only the template matters.
   */
  bundleDir: string | null;
  /**
   * Public scheme and host. Undefined in stacks that are deployed before the origin is known; no function of such a
   * stack may need the origin.
   */
  publicOrigin?: string | undefined;
}

const grantsOf = (fn: FunctionManifest, context: ServiceContext): NeedGrant[] => {
  const source = fn.kind === 'worker' ? (fn.variant?.source ?? null) : null;
  const { stage } = context;
  const grants = fn.contract.needs.map((need) => buildGrant(need, context, source));
  if (fn.kind === 'protocol') return grants;
  if (fn.kind === 'endpoint') {
    return fn.contract.auth === 'public'
      ? grants
      : [...grants, { environment: {}, statements: sessionStatements(stage) }];
  }
  if ('schedule' in fn.trigger) return [...grants, dueIndexGrant(stage)];
  const receive = new PolicyStatement({
    actions: ['sqs:ChangeMessageVisibility', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes', 'sqs:ReceiveMessage'],
    resources: [queueArn(stage.name, fn.trigger.queue)],
  });
  const environment = fn.variant === null ? {} : { [VARIABLES.scope]: variantScope(fn.variant) };
  return [...grants, { environment, statements: [receive] }];
};

/**
 * True if X-Ray records the function's requests. Syncs are traced in every stage, which adds a fiftieth to the price of
 * a sync. The sweeper is never traced, because it runs every minute. For all other functions the stage's setting
 * decides (docs/adr/0022).
 */
const isTraced = (fn: FunctionManifest, stage: Stage): boolean => {
  if (fn.kind !== 'worker') return stage.tracesRequests;
  if ('schedule' in fn.trigger) return false;
  return fn.variant !== null || stage.tracesRequests;
};

export class ServiceFunction extends Construct {
  readonly lambda: LambdaFunction;

  constructor(scope: Construct, fn: FunctionManifest, context: ServiceContext) {
    super(scope, pascal(fn.functionId));
    const { stage, bundleDir } = context;
    const grants = grantsOf(fn, context);
    this.lambda = makeFunction(this, fn, {
      stage,
      bundleDir,
      statements: grants.flatMap(({ statements }) => statements),
      isTraced: isTraced(fn, stage),
      // A scope's worker holds a whole month, so its memory ends first (docs/performance.md).
      isReported: fn.kind === 'worker' && fn.variant !== null,
      mayCallItself: fn.kind === 'worker' && 'queue' in fn.trigger,
      environment: Object.assign(baseEnvironment(stage), ...grants.map(({ environment }) => environment)),
    });
  }
}
