/** Returns the CloudWatch metric for an alarm or a graph. */
import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { DUE_INDEX_NAME } from '#infra/constructs/apply-need.ts';
import { DEAD_LETTERS } from '#infra/manifest.ts';
import { deadLettersName } from '#infra/names.ts';
import { metricNamespace, SERVICE } from '#shared/platform/metric-catalogue.ts';
import type { Watched } from './alarm.ts';
import { GATEWAY_THROTTLES } from './gateway-throttles.ts';

export interface Monitored {
  stage: string;
  apiId: string;
  /** Name of the current table. */
  table: string;
  /** Name of the group of the connections' schedules. */
  scheduleGroup: string;
}

export const apiMetric = ({ apiId }: Pick<Monitored, 'apiId'>, name: string, statistic: string, period: Duration) =>
  new Metric({ namespace: 'AWS/ApiGateway', metricName: name, dimensionsMap: { ApiId: apiId }, statistic, period });

export const queueDepth = (queueName: string, period: Duration): Metric =>
  new Metric({
    namespace: 'AWS/SQS',
    metricName: 'ApproximateNumberOfMessagesVisible',
    dimensionsMap: { QueueName: queueName },
    statistic: 'Maximum',
    period,
  });

const deadLettersOf = (stage: string, name: string): string => {
  if (!DEAD_LETTERS.includes(name)) throw new Error(`no dead letters of "${name}"`);
  return deadLettersName(stage, name);
};

/** @throws Error for a dead-letter queue that does not exist. */
export const watchedMetric = (monitored: Monitored, watched: Watched, periodMinutes: number): IMetric => {
  const period = Duration.minutes(periodMinutes);
  const { stage } = monitored;
  const metric = (namespace: string, metricName: string, statistic = 'Sum', dimensionsMap = {}): Metric =>
    new Metric({ namespace, metricName, dimensionsMap, statistic, period });
  switch (watched.of) {
    case 'service': {
      const dimensions = { service: SERVICE, ...watched.dimensions };
      return metric(metricNamespace(stage), watched.metric, watched.statistic, dimensions);
    }
    case 'dead-letters':
      return queueDepth(deadLettersOf(stage, watched.queue), period);
    case 'api-error-rate':
      // The rate is 0 for few requests, because one failed request at night is not a meaningful rate. An expression is
      // necessary because HTTP APIs count errors and requests separately.
      return new MathExpression({
        expression: `IF(requests >= ${watched.requestsMin}, 100 * errors / requests, 0)`,
        label: 'requests answered 5xx, percent',
        usingMetrics: {
          errors: apiMetric(monitored, '5xx', 'Sum', period),
          requests: apiMetric(monitored, 'Count', 'Sum', period),
        },
        period,
      });
    case 'gateway-throttles':
      return metric(metricNamespace(stage), GATEWAY_THROTTLES);
    case 'api-latency':
      return apiMetric(monitored, 'Latency', watched.statistic, period);
    case 'function-throttles':
      return metric('AWS/Lambda', 'Throttles');
    case 'dropped-recursions':
      return metric('AWS/Lambda', 'RecursiveInvocationsDropped');
    case 'dropped-firings':
      return metric('AWS/Scheduler', 'InvocationDroppedCount', 'Sum', { ScheduleGroup: monitored.scheduleGroup });
    case 'table-throttles':
      return metric('AWS/DynamoDB', `${watched.what}ThrottleEvents`, 'Sum', {
        TableName: monitored.table,
        ...(watched.index ? { GlobalSecondaryIndexName: DUE_INDEX_NAME } : {}),
      });
  }
};
