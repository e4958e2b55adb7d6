/**
 * Writes metrics in Embedded Metric Format to the function's stdout. CloudWatch extracts them from the log, so no call
 * is made. Each metric is written at once, because a worker may die at any line and the metrics so far must count.
 */

import { Metrics } from '@aws-lambda-powertools/metrics';
import { nowMs } from './clock.ts';
import { envOr } from './env.ts';
import { type Dimensions, METRICS, type MetricName, metricNamespace, SERVICE } from './metric-catalogue.ts';
import { BASE_VARIABLES } from './needs.ts';

/**
 * Ignores the library's warnings, which are only about times far from the machine's clock. Such times occur with
 * virtual time.
 */
const ignore = (): void => {};
const SILENT: NonNullable<ConstructorParameters<typeof Metrics>[0]>['logger'] = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  trace: ignore,
};

/**
 * The form of our own names. It excludes ids, RUTs and tokens, because CloudWatch would charge each of these values as
 * a separate metric.
 */
const NAME = /^[a-z]+(?:[._-][a-z]+)*$/;
const OTHER = 'other';

/**
 * One emitter per namespace, because creating an emitter reads a dozen settings. Without this cache, creating emitters
 * took a tenth of the compute time of an engine step.
 */
const emitters = new Map<string, Metrics>();

const emitterFor = (namespace: string): Metrics => {
  const known = emitters.get(namespace);
  if (known) return known;
  const made = new Metrics({ namespace, serviceName: SERVICE, logger: SILENT });
  emitters.set(namespace, made);
  return made;
};

/**
 * Writes a metric. Never throws: a metric must not break the measured code.
 * @param value in the unit of the metric in the catalogue; non-finite values are not written
 */
export const record = <N extends MetricName>(name: N, value: number, dimensions: Dimensions<N>): void => {
  if (!Number.isFinite(value)) return;
  const metrics = emitterFor(metricNamespace(envOr(BASE_VARIABLES.stage, 'none')));
  metrics.setTimestamp(nowMs());
  for (const dimension of METRICS[name].dimensions) {
    const said = (dimensions as Record<string, string>)[dimension] ?? '';
    metrics.addDimension(dimension, NAME.test(said) ? said : OTHER);
  }
  metrics.addMetric(name, METRICS[name].unit, value);
  metrics.publishStoredMetrics();
};
