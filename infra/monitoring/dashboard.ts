/**
 * The CloudWatch dashboard: one page with graphs of the API and webhooks first, as integrators see them, and then of
 * the engine, queues, functions and the table.
 */
import { Duration } from 'aws-cdk-lib';
import { Dashboard, GraphWidget, type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { DEAD_LETTERS, QUEUE_CONSUMERS } from '#infra/manifest.ts';
import { deadLettersName, queueName } from '#infra/names.ts';
import { METRICS, type MetricName, metricNamespace, SERVICE } from '#shared/platform/metric-catalogue.ts';
import { apiMetric, type Monitored, queueDepth } from './watched-metric.ts';

const PERIOD = Duration.minutes(5);
const THIRD = 8;

const graph = (title: string, left: IMetric[]): GraphWidget =>
  new GraphWidget({ title, left, width: THIRD, height: 6, leftYAxis: { min: 0 } });

const search = (expression: string): MathExpression =>
  new MathExpression({ expression, usingMetrics: {}, label: '', period: PERIOD });

/**
 * Returns a graph with one line for every combination of dimension values, including combinations that appear later.
 */
const everyValue = (stage: string, name: MetricName, statistic: string): GraphWidget => {
  const dimensions = ['service', ...METRICS[name].dimensions].join(',');
  const found = `{"${metricNamespace(stage)}",${dimensions}} MetricName="${name}" service="${SERVICE}"`;
  return graph(`${name}: ${METRICS[name].says} (${statistic}, ${METRICS[name].unit})`, [
    search(`SEARCH('${found}', '${statistic}', ${PERIOD.toSeconds()})`),
  ]);
};

const STATISTICS: Partial<Record<MetricName, string>> = {
  ScopeDuration: 'p90',
  OldestDueAge: 'Maximum',
  DeliveryLag: 'p90',
};

const tableMetric = ({ table }: Monitored, metricName: string): Metric =>
  new Metric({
    namespace: 'AWS/DynamoDB',
    metricName,
    dimensionsMap: { TableName: table },
    statistic: 'Sum',
    period: PERIOD,
  });

/**
 * Returns a graph's metric for all functions of the stage, whose names begin with the service and the stage. The words
 * of the search are not quoted: a quoted term must match a whole name, an unquoted word matches a part of a name
 * without punctuation (AWS's documents).
 */
const functionsOf = (stage: string, metric: string): MathExpression => {
  const words = `${SERVICE}-${stage}`.replaceAll('-', ' ');
  return search(`SEARCH('{AWS/Lambda,FunctionName} MetricName="${metric}" ${words}', 'Sum', ${PERIOD.toSeconds()})`);
};

export const makeDashboard = (scope: Construct, monitored: Monitored): Dashboard => {
  const { stage } = monitored;
  const dashboard = new Dashboard(scope, 'Dashboard', { defaultInterval: Duration.hours(24) });
  dashboard.addWidgets(
    graph(
      'API: requests, refused, failed',
      ['Count', '4xx', '5xx'].map((name) => apiMetric(monitored, name, 'Sum', PERIOD)),
    ),
    graph(
      'API: milliseconds, half and 99 of 100',
      ['p50', 'p99'].map((statistic) => apiMetric(monitored, 'Latency', statistic, PERIOD)),
    ),
  );
  const names = Object.keys(METRICS) as MetricName[];
  dashboard.addWidgets(...names.map((name) => everyValue(stage, name, STATISTICS[name] ?? 'Sum')));
  const depths = (queues: readonly string[], nameOf: (stage: string, queue: string) => string): IMetric[] =>
    queues.map((queue) => queueDepth(nameOf(stage, queue), PERIOD).with({ label: queue }));
  dashboard.addWidgets(
    graph(
      'Messages waiting',
      depths(
        QUEUE_CONSUMERS.map(({ queue }) => queue),
        queueName,
      ),
    ),
    graph('Dead letters', depths(DEAD_LETTERS, deadLettersName)),
    graph('Functions: errors', [functionsOf(stage, 'Errors')]),
    graph('Functions: throttles', [functionsOf(stage, 'Throttles')]),
    graph(
      'Table: capacity units',
      ['ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'].map((name) => tableMetric(monitored, name)),
    ),
    graph(
      'Table: throttles',
      ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => tableMetric(monitored, name)),
    ),
  );
  return dashboard;
};
