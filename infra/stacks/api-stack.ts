/** The HTTP API: one function and one route per endpoint. */
import { CfnOutput, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { pascal, type ServiceContext, ServiceFunction } from '#infra/constructs/service-function.ts';
import { ENDPOINT_FUNCTIONS, NOT_FOUND_ID } from '#infra/manifest.ts';
import { fullPath } from '#shared/http/contract.ts';

/** No header, no query string, no body: nothing a credential could be in. */
const ACCESS_LOG = {
  request_id: '$context.requestId',
  requested_at: '$context.requestTime',
  route: '$context.routeKey',
  path: '$context.path',
  protocol: '$context.protocol',
  source_ip: '$context.identity.sourceIp',
  status: '$context.status',
  response_bytes: '$context.responseLength',
  latency_ms: '$context.responseLatency',
  integration_error: '$context.integrationErrorMessage',
};

export class ApiStack extends Stack {
  readonly apiId: string;

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

    const accessLogs = new LogGroup(this, 'AccessLogs', {
      retention: service.stage.logRetentionDays,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const { requestsPerSecond, burstRequests } = service.stage.throttling;
    const stage = new HttpStage(this, 'Default', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: requestsPerSecond, burstLimit: burstRequests },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLogs),
        format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
      },
    });
    new CfnOutput(this, 'ApiUrl', { value: `${api.apiEndpoint}/api`, description: 'Base URL of the API' });
    stage.node.addDependency(accessLogs);
    this.apiId = api.apiId;
  }
}
