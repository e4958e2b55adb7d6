import { describe, expect, test } from 'vitest';
import { lastFiringMs, nextFiringMs } from '#tools/local/schedule-expressions.ts';

const timing = (expression: string, more: Partial<Parameters<typeof nextFiringMs>[0]> = {}) => ({
  expression,
  startMs: undefined,
  createdMs: Date.parse('2026-01-01T00:00:00Z'),
  ...more,
});
const next = (expression: string, after: string, more = {}): string =>
  new Date(nextFiringMs(timing(expression, more), Date.parse(after))).toISOString().slice(0, 19);

describe('rate', () => {
  test('without start: at creation, then every period', () => {
    expect(next('rate(1 minute)', '2025-12-31T23:59:59Z')).toBe('2026-01-01T00:00:00');
    expect(next('rate(1 minute)', '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:01:00');
    expect(next('rate(120 minutes)', '2026-01-01T03:00:00Z')).toBe('2026-01-01T04:00:00');
  });
  test('with start: from there on', () => {
    const startMs = Date.parse('2026-02-01T00:30:00Z');
    expect(next('rate(1440 minutes)', '2026-01-15T00:00:00Z', { startMs })).toBe('2026-02-01T00:30:00');
    expect(next('rate(1440 minutes)', '2026-02-01T00:30:00Z', { startMs })).toBe('2026-02-02T00:30:00');
  });
  test('the latest of many', () => {
    const of = timing('rate(1 minute)');
    const last = lastFiringMs(of, of.createdMs, of.createdMs + 3_599_999) ?? 0;
    expect(last - of.createdMs).toBe(59 * 60_000);
    expect(lastFiringMs(of, of.createdMs, of.createdMs + 59_999)).toBeUndefined();
  });
});

test.each(['rate(0 minutes)', 'rate(2 hours)', 'cron(0 9 * * ? *)', 'at(2026-07-01T09:00:00)', ''])(
  'refuses %s by name',
  (expression) => {
    expect(() => next(expression, '2026-01-01T00:00:00Z')).toThrow(`no schedule expression ${expression}`);
  },
);
