/**
 * Metrics, written as Embedded Metric Format to the function's one stdout: CloudWatch takes them from the log, and no
 * call is made. Each leaves at once: a worker may die at any line, and what it did until then counts.
 */

import { Metrics } from '@aws-lambda-powertools/metrics';
import { nowMs } from './clock.ts';
import { envOr } from './env.ts';
import { type Dimensions, METRICS, type MetricName, metricNamespace, SERVICE } from './metric-catalogue.ts';
import { BASE_VARIABLES } from './needs.ts';

/** Its only words are about times far from the machine's clock, which virtual time is. */
const ignore = (): void => {};
const SILENT: NonNullable<ConstructorParameters<typeof Metrics>[0]>['logger'] = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  trace: ignore,
};

/** Names of ours alone: an id, a RUT or a token is none, and would be paid for as a metric of its own. */
const NAME = /^[a-z]+(?:[._-][a-z]+)*$/;
const OTHER = 'other';

/** One per namespace: making it reads a dozen settings, which took a tenth of what an engine's step computes. */
const emitters = new Map<string, Metrics>();

const emitterFor = (namespace: string): Metrics => {
  const known = emitters.get(namespace);
  if (known) return known;
  const made = new Metrics({ namespace, serviceName: SERVICE, logger: SILENT });
  emitters.set(namespace, made);
  return made;
};

/**
 * @param value in the unit that the catalogue gives the metric; one that is not finite is not written
 * @throws never: a metric must not fail what it measures
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
