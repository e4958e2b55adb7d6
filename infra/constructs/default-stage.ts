/**
 * The only stage of an HTTP API. Its throttling applies to all routes together, and its access log has a line for every
 * request.
 */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type HttpApi, HttpStage, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { accessLogName } from '#infra/names.ts';
import type { Stage } from '#infra/stages.ts';

/** The line contains no header, query string or body, and therefore no credential. */
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
  // The value is `-` when the gateway answered without calling a function.
  integration_status: '$context.integrationStatus',
};

interface StageOfApi {
  api: 'api' | 'sandbox';
  throttling: Stage['throttling'];
}

/** Adds the stage, and returns the log group of its access log. */
export const addDefaultStage = (
  scope: Construct,
  httpApi: HttpApi,
  { name, logRetentionDays }: Stage,
  { api, throttling: { requestsPerSecond, burstRequests } }: StageOfApi,
): LogGroup => {
  const accessLogs = new LogGroup(scope, 'AccessLogs', {
    logGroupName: accessLogName(name, api),
    retention: logRetentionDays,
    removalPolicy: RemovalPolicy.DESTROY,
  });
  const stage = new HttpStage(scope, 'Default', {
    httpApi,
    stageName: '$default',
    autoDeploy: true,
    throttle: { rateLimit: requestsPerSecond, burstLimit: burstRequests },
    accessLogSettings: {
      destination: new LogGroupLogDestination(accessLogs),
      format: AccessLogFormat.custom(JSON.stringify(ACCESS_LOG)),
    },
  });
  stage.node.addDependency(accessLogs);
  return accessLogs;
};
