/** The last complete month of a connection, over histories of its coverage. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Coverage, coverageAfter, describeMonth } from '#shared/sync/coverage/coverage.rules.ts';
import { findLastComplete, type ReportedMonth } from '#shared/sync/coverage/last-complete.rules.ts';
import type { PeriodDone } from '#shared/sync/task/period-done.rules.ts';

const MONTHS = ['2026-07', '2026-08', '2026-09', '2026-10'] as const;
const month = (period: string | null, change: Partial<ReportedMonth> = {}): ReportedMonth => ({
  ...{ period, state: 'complete', isOpen: false, verdict: 'equal' },
  ...change,
});

test.each([
  ['no scope', [], undefined],
  ['no month', [[]], undefined],
  ['the newest of one scope', [[month('2026-08'), month('2026-09')]], '2026-09'],
  ['whose totals are unknown', [[month('2026-09', { verdict: 'not_told' })]], '2026-09'],
  ['one of two scopes is behind', [[month('2026-08'), month('2026-09')], [month('2026-08')]], '2026-08'],
  ['a scope without an outcome', [[month('2026-09')], []], undefined],
  ['partial', [[month('2026-08'), month('2026-09', { state: 'partial' })]], '2026-08'],
  ['never', [[month('2026-09', { state: 'never' })]], undefined],
  ['not over', [[month('2026-08'), month('2026-09', { isOpen: true })]], '2026-08'],
  ['differs', [[month('2026-08'), month('2026-09', { verdict: 'differs' })]], '2026-08'],
  ['all time', [[month(null)]], undefined],
] as const)('%s', (_, scopes, expected) => {
  expect(findLastComplete(scopes)).toBe(expected);
});

const arbitraryDone = fc.record({
  found: fc.constantFrom(0, 3),
  errorCode: fc.constantFrom(null, null, 'source.timeout' as const),
  gap: fc.constantFrom(undefined, undefined, 'tax.rcv.rows_kept' as const),
  isOpen: fc.boolean(),
  /** Days after the month's first day. */
  day: fc.integer({ min: 0, max: 70 }),
});
const arbitraryAttempt = fc.record({
  scope: fc.constantFrom('rcv', 'guias'),
  asked: fc.uniqueArray(fc.constantFrom(...MONTHS), { minLength: 1 }),
  done: fc.dictionary(fc.constantFrom(...MONTHS), arbitraryDone),
  verdicts: fc.dictionary(fc.constantFrom(...MONTHS), fc.constantFrom('equal' as const, 'differs' as const)),
});

test('never names a month that any scope reports otherwise, and none that is later would do', () => {
  fc.assert(
    fc.property(
      fc.array(arbitraryAttempt, { maxLength: 8 }),
      fc.constantFrom('2026-09', '2026-11'),
      (attempts, now) => {
        const coverage: Record<string, Coverage | undefined> = { rcv: undefined, guias: undefined };
        const verdicts: Record<string, ReportedMonth['verdict']> = {};
        for (const { scope, asked, done, verdicts: told } of attempts) {
          const all = Object.entries(done).map(
            ([period, { day, gap, ...rest }]) =>
              ({
                ...{ period, created: 0, updated: 0, errorMessage: null, ...rest, ...(gap ? { gap } : {}) },
                readAt: Date.parse(`${period}-01T12:00:00Z`) / 1000 + day * 86_400,
              }) as PeriodDone,
          );
          const task = { source: 'tax', scope, periods: asked, done: all };
          const attempt = { runId: 'run', finishedAt: '2026-11-21T12:00:00.000Z', periodsMax: 10 };
          coverage[scope] = coverageAfter(coverage[scope], task, { status: 'ok', errorCode: null }, attempt);
          for (const [period, verdict] of Object.entries(told)) verdicts[`${scope} ${period}`] = verdict;
        }
        const reported = Object.entries(coverage).map(([scope, of]) =>
          Object.entries(of?.periods ?? {}).map(([period, covered]): ReportedMonth => {
            const stored = { rows: 3, isHalfWritten: false };
            const verdict = verdicts[`${scope} ${period}`] ?? 'not_told';
            return { period, verdict, ...describeMonth(period, covered, stored, now) };
          }),
        );
        const isComplete = (period: string): boolean =>
          reported.every((months) =>
            months.some(
              (each) =>
                each.period === period && each.state === 'complete' && each.verdict !== 'differs' && !each.isOpen,
            ),
          );
        expect(findLastComplete(reported)).toBe(MONTHS.filter(isComplete).at(-1));
      },
    ),
  );
});
