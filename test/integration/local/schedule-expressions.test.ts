import { describe, expect, test } from 'vitest';
import { InvalidExpression, lastFiringMs, nextFiringMs } from '#infra/local/schedule-expressions.ts';

const timing = (expression: string, more: Partial<Parameters<typeof nextFiringMs>[0]> = {}) => ({
  expression,
  timezone: 'UTC',
  startMs: undefined,
  endMs: undefined,
  createdMs: Date.parse('2026-01-01T00:00:00Z'),
  ...more,
});
const next = (expression: string, after: string, more = {}): string | undefined => {
  const ms = nextFiringMs(timing(expression, more), Date.parse(after));
  return ms === undefined ? undefined : new Date(ms).toISOString().slice(0, 19);
};

describe('rate', () => {
  test('without start: at creation, then every period', () => {
    expect(next('rate(1 minute)', '2025-12-31T23:59:59Z')).toBe('2026-01-01T00:00:00');
    expect(next('rate(1 minute)', '2026-01-01T00:00:00Z')).toBe('2026-01-01T00:01:00');
    expect(next('rate(2 hours)', '2026-01-01T03:00:00Z')).toBe('2026-01-01T04:00:00');
  });
  test('with start: from there on; with end: not beyond', () => {
    const startMs = Date.parse('2026-02-01T00:30:00Z');
    expect(next('rate(1 day)', '2026-01-15T00:00:00Z', { startMs })).toBe('2026-02-01T00:30:00');
    expect(next('rate(1 day)', '2026-02-01T00:30:00Z', { startMs })).toBe('2026-02-02T00:30:00');
    expect(next('rate(1 day)', '2026-02-01T00:30:00Z', { startMs, endMs: startMs })).toBeUndefined();
  });
  test('the latest of many', () => {
    const of = timing('rate(1 minute)');
    const last = lastFiringMs(of, of.createdMs, of.createdMs + 3_599_999) ?? 0;
    expect(last - of.createdMs).toBe(59 * 60_000);
    expect(lastFiringMs(of, of.createdMs, of.createdMs + 59_999)).toBeUndefined();
  });
});

test('at: once, in its time zone', () => {
  const timezone = 'America/Santiago';
  expect(next('at(2026-07-01T09:00:00)', '2026-01-01T00:00:00Z', { timezone })).toBe('2026-07-01T13:00:00');
  expect(next('at(2026-07-01T09:00:00)', '2026-07-01T13:00:00Z', { timezone })).toBeUndefined();
});

test.each([
  ['cron(15 10 * * ? *)', '2026-03-01T10:15:00Z', 'UTC', '2026-03-02T10:15:00'],
  ['cron(0/20 * * * ? *)', '2026-03-01T10:21:00Z', 'UTC', '2026-03-01T10:40:00'],
  ['cron(0 9 ? * MON-FRI *)', '2026-03-06T09:00:00Z', 'UTC', '2026-03-09T09:00:00'],
  ['cron(0 0 29 2 ? *)', '2026-03-01T00:00:00Z', 'UTC', '2028-02-29T00:00:00'],
  ['cron(0 9 1,15 JAN,JUL ? 2027)', '2026-08-01T00:00:00Z', 'America/Santiago', '2027-01-01T12:00:00'],
  // Santiago leaves out midnight of 6 September 2026: that day has none.
  ['cron(0 0 * * ? *)', '2026-09-05T12:00:00Z', 'America/Santiago', '2026-09-07T03:00:00'],
])('%s after %s in %s', (expression, after, timezone, expected) => {
  expect(next(expression, after, { timezone })).toBe(expected);
});

test.each([
  'rate(0 minutes)',
  'rate(1 week)',
  'cron(0 9 * * * *)',
  'cron(0 9 * ? *)',
  'cron(60 9 * * ? *)',
  'cron(0 9 L * ? *)',
  'at(tomorrow)',
  '',
])('refuses %s', (expression) => {
  expect(() => next(expression, '2026-01-01T00:00:00Z')).toThrow(InvalidExpression);
});
