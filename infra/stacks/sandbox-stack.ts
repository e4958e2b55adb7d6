/**
 * The simulated institutions of a stage (docs/adr/0009): one function behind its own HTTP API, and the table with their
 * state. The stack has no access to other parts of the service, and is deployed only with `-c sandbox=true`.
 */
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { AttributeType, BillingMode, Table } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { addDefaultStage } from '#infra/constructs/default-stage.ts';
import { makeFunction } from '#infra/constructs/make-function.ts';
import { SANDBOX_FUNCTION } from '#infra/manifest.ts';
import type { Stage } from '#infra/stages.ts';
import { VARIABLES } from '#shared/platform/needs.ts';

/** Everybody may call the sandbox, so this limit bounds the cost of its traffic. */
const THROTTLING = { requestsPerSecond: 100, burstRequests: 200 };

export class SandboxStack extends Stack {
  /** Base URL of the sandbox; the address of an institution is this URL followed by the code of its source. */
  readonly url: string;

  constructor(
    scope: Construct,
    id: string,
    { stage, bundleDir, ...props }: StackProps & { stage: Stage; bundleDir: string | null },
  ) {
    super(scope, id, props);
    // The table has no backup and is deleted with its stack: without the state, the institution treats every login as
    // new.
    const table = new Table(this, 'Memories', {
      partitionKey: { name: 'pk', type: AttributeType.STRING },
      sortKey: { name: 'sk', type: AttributeType.STRING },
      billingMode: BillingMode.PAY_PER_REQUEST,
      timeToLiveAttribute: 'expires_at_epoch',
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const lambda = makeFunction(new Construct(this, 'Sandbox'), SANDBOX_FUNCTION, {
      stage,
      bundleDir,
      statements: [
        new PolicyStatement({ actions: ['dynamodb:GetItem', 'dynamodb:PutItem'], resources: [table.tableArn] }),
      ],
      environment: { STAGE: stage.name, [VARIABLES.table]: table.tableName },
      isTraced: stage.tracesRequests,
    });
    const api = new HttpApi(this, 'Http', { createDefaultStage: false });
    api.addRoutes({
      path: '/{institution}/{proxy+}',
      methods: [HttpMethod.GET, HttpMethod.POST],
      integration: new HttpLambdaIntegration('Institutions', lambda),
    });
    addDefaultStage(this, api, stage, { api: 'sandbox', throttling: THROTTLING });
    this.url = api.apiEndpoint;
    // The export is unconditional, because CloudFormation does not remove an export that another stack still imports.
    this.exportValue(this.url);
    new CfnOutput(this, 'SandboxUrl', { value: api.apiEndpoint, description: 'The simulated institutions' });
  }
}
