/** The HTTP API: one function and one route per endpoint. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { addDefaultStage } from '#infra/constructs/default-stage.ts';
import { type ServiceContext, ServiceFunction } from '#infra/constructs/service-function.ts';
import { ENDPOINT_FUNCTIONS, NOT_FOUND_ID } from '#infra/manifest.ts';
import { pascal } from '#infra/names.ts';
import { fullPath } from '#shared/http/contract.ts';

export class ApiStack extends Stack {
  readonly apiId: string;
  readonly accessLogs: ILogGroup;

  constructor(scope: Construct, id: string, { service, ...props }: StackProps & { service: ServiceContext }) {
    super(scope, id, props);
    const functions = new Map(
      ENDPOINT_FUNCTIONS.map((endpoint) => [endpoint, new ServiceFunction(this, endpoint, service)]),
    );
    const integration = (functionId: string, fn: ServiceFunction) =>
      new HttpLambdaIntegration(pascal(functionId), fn.lambda);

    const notFound = [...functions].find(([{ functionId }]) => functionId === NOT_FOUND_ID);
    const api = new HttpApi(this, 'Http', {
      createDefaultStage: false,
      ...(notFound === undefined ? {} : { defaultIntegration: integration(NOT_FOUND_ID, notFound[1]) }),
    });
    for (const [{ functionId, contract }, fn] of functions) {
      if (functionId === NOT_FOUND_ID) continue;
      api.addRoutes({
        path: fullPath(contract),
        methods: [HttpMethod[contract.method]],
        integration: integration(functionId, fn),
      });
    }

    this.accessLogs = addDefaultStage(this, api, service.stage, service.stage.throttling);
    new CfnOutput(this, 'ApiUrl', { value: `${api.apiEndpoint}/api`, description: 'Base URL of the API' });
    this.apiId = api.apiId;
  }
}
