import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { plantClock } from '#shared/platform/clock.ts';
import { METRICS, type MetricName } from '#shared/platform/metric-catalogue.ts';
import { record } from '#shared/platform/metrics.ts';
import { captureLog } from '#test/helpers/log-lines.ts';

const NOW_MS = Date.parse('2031-02-03T04:05:06.789Z');
const NAMES = Object.keys(METRICS) as MetricName[];

beforeEach(() => {
  vi.stubEnv('POWERTOOLS_METRICS_DISABLED', 'false');
  vi.stubEnv('STAGE', 'dev');
  plantClock(() => NOW_MS);
});
afterEach(() => plantClock(undefined));

const written = (write: () => void): Record<string, unknown>[] => {
  const captured = captureLog();
  write();
  const text = captured.text();
  vi.restoreAllMocks();
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]));
};

const any = record as (name: MetricName, value: number, dimensions: Record<string, string>) => void;

describe('a metric', () => {
  test.each(NAMES)('%s is one line of EMF at the time of the service clock, in the namespace of the stage', (name) => {
    const { unit, dimensions } = METRICS[name];
    const said = Object.fromEntries(dimensions.map((dimension) => [dimension, 'tax.rcv']));
    expect(written(() => any(name, 7, said))).toEqual([
      {
        _aws: {
          Timestamp: NOW_MS,
          CloudWatchMetrics: [
            {
              Namespace: 'data-connections/dev',
              Dimensions: [['service', ...dimensions]],
              Metrics: [{ Name: name, Unit: unit }],
            },
          ],
        },
        service: 'data-connections',
        ...said,
        [name]: 7,
      },
    ]);
  });

  test.each([
    '0198c0de-0000-7000-8000-00000000abcd',
    'abcdabcd-0000-7000-8000-00000000abcd',
    '76123456-7',
    'svc_sk_k3JmQ0c4n4ry',
    'clave de alguien',
    '',
  ])('has only known dimensions: %s', (value) => {
    const [line] = written(() => record('RunsEnded', 1, { source: value, status: 'failed' }));
    expect(line).toMatchObject({ source: 'other', status: 'failed' });
  });

  test('has no dimension that the catalogue does not have, and says nothing without a number', () => {
    const [line] = written(() => any('DeliveryLag', 5, { organization: 'acme' }));
    expect(JSON.stringify(line)).not.toContain('acme');
    expect(written(() => record('DeliveryLag', Number.NaN, {}))).toEqual([]);
  });
});

test('no metric is by tenant', () => {
  const dimensions = new Set(NAMES.flatMap((name): string[] => [...METRICS[name].dimensions]));
  expect([...dimensions].sort()).toEqual([
    'cause',
    'code',
    'kind',
    'outcome',
    'scope',
    'source',
    'status',
    'tool',
    'worker',
  ]);
});
