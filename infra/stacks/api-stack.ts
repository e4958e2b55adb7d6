/**
 * The HTTP API itself: its stage, its access log, and the response for unknown routes. Other stacks deploy its
 * endpoints.
 */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import { addDefaultStage } from '#infra/constructs/default-stage.ts';
import { type ServiceContext, ServiceFunction } from '#infra/constructs/service-function.ts';
import { NOT_FOUND_FUNCTION } from '#infra/manifest.ts';
import { pascal } from '#infra/names.ts';

export class ApiStack extends Stack {
  readonly apiId: string;

  constructor(scope: Construct, id: string, { service, ...props }: StackProps & { service: ServiceContext }) {
    super(scope, id, props);
    const notFound = new ServiceFunction(this, NOT_FOUND_FUNCTION, service);
    const api = new HttpApi(this, 'Http', {
      createDefaultStage: false,
      defaultIntegration: new HttpLambdaIntegration(pascal(NOT_FOUND_FUNCTION.functionId), notFound.lambda),
    });
    const { throttling } = service.stage;
    const accessLogs = addDefaultStage(this, api, service.stage, { api: 'api', throttling });
    new CfnOutput(this, 'ApiUrl', { value: `${api.apiEndpoint}/api`, description: 'Base URL of the API' });
    this.apiId = api.apiId;
    // The exports are unconditional, because CloudFormation does not remove an export that another stack still imports.
    this.exportValue(this.apiId);
    this.exportValue(accessLogs.logGroupName);
  }
}
