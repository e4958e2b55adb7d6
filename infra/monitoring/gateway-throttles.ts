/**
 * Counts requests that the gateway itself refuses because there are too many. The metrics of HTTP APIs count all 4xx
 * together, so a filter counts the lines of the access log with status 429. The service's own 429 (`rate_limited`) is
 * not counted, because a function sends it and it concerns only one organization.
 */
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { accessLogName } from '#infra/names.ts';
import { metricNamespace } from '#shared/platform/metric-catalogue.ts';

export const GATEWAY_THROTTLES = 'GatewayThrottles';

export const countGatewayThrottles = (scope: Construct, stage: string): MetricFilter =>
  new MetricFilter(scope, 'CountGatewayThrottles', {
    logGroup: LogGroup.fromLogGroupName(scope, 'AccessLogs', accessLogName(stage, 'api')),
    metricNamespace: metricNamespace(stage),
    metricName: GATEWAY_THROTTLES,
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.integration_status', '=', '-'),
    ),
    metricValue: '1',
    defaultValue: 0,
  });
