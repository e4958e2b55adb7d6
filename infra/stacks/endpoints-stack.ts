/** Endpoints of some tags: one function and one route each, on the API of another stack. */
import { Stack, type StackProps } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import { type ServiceContext, ServiceFunction } from '#infra/constructs/service-function.ts';
import type { EndpointFunction } from '#infra/manifest.ts';
import { pascal } from '#infra/names.ts';
import { fullPath } from '#shared/http/contract.ts';

interface EndpointsProps extends StackProps {
  service: ServiceContext;
  apiId: string;
  endpoints: readonly EndpointFunction[];
}

export class EndpointsStack extends Stack {
  constructor(scope: Construct, id: string, { service, apiId, endpoints, ...props }: EndpointsProps) {
    super(scope, id, props);
    const httpApi = HttpApi.fromHttpApiAttributes(this, 'Http', { httpApiId: apiId });
    for (const endpoint of endpoints) {
      const { functionId, contract } = endpoint;
      const fn = new ServiceFunction(this, endpoint, service);
      new HttpRoute(fn, 'Route', {
        httpApi,
        routeKey: HttpRouteKey.with(fullPath(contract), HttpMethod[contract.method]),
        integration: new HttpLambdaIntegration(pascal(functionId), fn.lambda),
      });
    }
  }
}
