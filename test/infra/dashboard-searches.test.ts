/** Every search of the dashboard finds its own metrics, and none of another stage. */
import { describe, expect, it } from 'vitest';
import { METRICS, type MetricName, metricNamespace, SERVICE } from '#shared/platform/metric-catalogue.ts';
import { isFound, parseSearch, type SearchedMetric } from './cloudwatch-search.ts';
import { type Json, ofType } from './synthesized.ts';

/** Searches of the page, without CloudFormation tokens. */
const searches = () => {
  const [dashboard] = ofType('prod', 'AWS::CloudWatch::Dashboard');
  const { DashboardBody } = dashboard!.properties;
  const text = (DashboardBody['Fn::Join'][1] as Json[]).map((part) => (typeof part === 'string' ? part : 'x')).join('');
  const { widgets } = JSON.parse(text) as { widgets: { properties: { metrics: Json[][] } }[] };
  const expressions = widgets.flatMap(({ properties }) =>
    properties.metrics.map(([{ expression }]: Json) => expression),
  );
  return expressions.filter((each) => String(each).startsWith('SEARCH')).map(parseSearch);
};

const own = (stage: string, name: MetricName): SearchedMetric => ({
  namespace: metricNamespace(stage),
  name,
  dimensions: { service: SERVICE, ...Object.fromEntries(METRICS[name].dimensions.map((each) => [each, 'some-value'])) },
});

/** The name that CloudFormation gives a function: stack, logical id, eight characters. */
const functionMetric = (stage: string, name: string): SearchedMetric => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions: { FunctionName: `data-connections-${stage}-sync-SyncTaxRcvFn6D3F9B2A-q1W2e3R4t5Y6` },
});

describe('the dashboard of prod', () => {
  const names = Object.keys(METRICS) as MetricName[];
  const wanted = [
    ...names.map((name) => own('prod', name)),
    ...['Errors', 'Throttles'].map((n) => functionMetric('prod', n)),
  ];
  const foreign = [
    ...names.map((name) => own('dev', name)),
    ...['Errors', 'Throttles'].map((n) => functionMetric('dev', n)),
  ];

  it('finds each metric by exactly one search', () => {
    const all = searches();
    expect(all).toHaveLength(wanted.length);
    for (const metric of wanted)
      expect(
        all.filter((search) => isFound(search, metric)),
        metric.name,
      ).toHaveLength(1);
  });

  it('shows nothing of another stage', () => {
    for (const search of searches()) expect(foreign.filter((metric) => isFound(search, metric))).toEqual([]);
  });
});

describe('the reader of searches', () => {
  const metric = functionMetric('dev', 'Errors');
  const found = (terms: string): boolean =>
    isFound(parseSearch(`SEARCH('{AWS/Lambda,FunctionName} ${terms}', 'Sum', 300)`), metric);

  it('reads a quoted term as a whole name and an unquoted one as a word', () => {
    expect(found('MetricName="Errors"')).toBe(true);
    expect(found('MetricName="Errors" "data-connections-dev"')).toBe(false);
    expect(found('MetricName="Errors" data connections dev')).toBe(true);
    expect(found('MetricName="Errors" data connections prod')).toBe(false);
    expect(found('FunctionName=dev')).toBe(true);
    expect(found('MetricName=dev')).toBe(false);
  });

  it.each([
    "SEARCH('{data-connections/dev,service} MetricName=\"A\"', 'Sum', 300)",
    "SEARCH('{AWS/Lambda,FunctionName} data-connections', 'Sum', 300)",
    "SEARCH({AWS/Lambda}, 'Sum', 300)",
    "SEARCH('{AWS/Lambda} A', Sum, 300)",
  ])('refuses %s', (expression) => expect(() => parseSearch(expression)).toThrow());
});
