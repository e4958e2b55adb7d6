/**
 * The endpoints of some tags: one function per endpoint, and one route for each address of the endpoint. The HTTP API
 * itself belongs to another stack.
 */
import { Stack, type StackProps } from 'aws-cdk-lib';
import { HttpApi, HttpMethod, HttpRoute, HttpRouteKey } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { Construct } from 'constructs';
import { type ServiceContext, ServiceFunction } from '#infra/constructs/service-function.ts';
import { listRoutes, type RoutedFunction } from '#infra/manifest.ts';
import { pascal } from '#infra/names.ts';

export interface EndpointsProps extends StackProps {
  service: ServiceContext;
  apiId: string;
  endpoints: readonly RoutedFunction[];
}

export class EndpointsStack extends Stack {
  constructor(scope: Construct, id: string, { service, apiId, endpoints, ...props }: EndpointsProps) {
    super(scope, id, props);
    const httpApi = HttpApi.fromHttpApiAttributes(this, 'Http', { httpApiId: apiId });
    for (const endpoint of endpoints) {
      const fn = new ServiceFunction(this, endpoint, service);
      const integration = new HttpLambdaIntegration(pascal(endpoint.functionId), fn.lambda);
      for (const [at, { method, path }] of listRoutes(endpoint).entries())
        new HttpRoute(fn, at === 0 ? 'Route' : `Route${at + 1}`, {
          httpApi,
          routeKey: HttpRouteKey.with(path, HttpMethod[method]),
          integration,
        });
    }
  }
}
