/** The effect of attempts on the coverage of a scope's months. */
import { describe, expect, test } from 'vitest';
import {
  type Coverage,
  type CoveredPeriod,
  coverageAfter,
  derivePeriodState,
  describeMonth,
  NO_PERIOD,
} from '#shared/sync/coverage/coverage.rules.ts';
import type { PeriodDone } from '#shared/sync/task/period-done.rules.ts';

const MONTH = '2026-10';
const READ_AT = Date.parse('2026-11-21T12:00:00Z') / 1000;
const AS_OF = '2026-11-21T12:00:00.000Z';
const LATER = '2026-11-22T12:00:00.000Z';

const done = (change: Partial<PeriodDone> = {}): PeriodDone => ({
  ...{ period: MONTH, found: 3, created: 3, updated: 0, errorCode: null, errorMessage: null, readAt: READ_AT },
  ...change,
});
const OK = { status: 'ok', errorCode: null } as const;
const FAILED = { status: 'failed', errorCode: 'source.timeout' } as const;

type Outcome = Parameters<typeof coverageAfter>[2];
const attempted = (
  before: Coverage | undefined,
  all: PeriodDone[],
  outcome: Outcome,
  asked = [MONTH],
  finishedAt = AS_OF,
) => {
  const task = { source: 'bankone', scope: 'movements', periods: asked, done: all };
  return coverageAfter(before, task, outcome, { runId: 'run', finishedAt, periodsMax: 3 });
};

const stateIn = ({ periods }: Coverage, month = MONTH) => derivePeriodState(periods[month]!, 0);

describe('a month', () => {
  test('whose movements do not add up is partial, with the notice as its reason, until a reading adds up', () => {
    const breaks = [{ account: '1', stopsAt: '10', resumesAt: '12' }];
    const broken = attempted(undefined, [done({ breaks })], OK);
    expect(stateIn(broken)).toBe('partial');
    expect(broken.periods[MONTH]).toMatchObject({ reason: 'bankone.movements.balances_broken', breaks, readBy: 'run' });
    const mended = attempted(broken, [done()], OK);
    expect(stateIn(mended)).toBe('complete');
    expect(mended.periods[MONTH]).not.toHaveProperty('breaks');
  });

  test.each([
    ['earlier', 6, 'partial'],
    ['later', 8, 'complete'],
  ])('that another run read %s, under fence %d, is %s', (_when, fence, state) => {
    const breaks = [{ account: '1', stopsAt: '10', resumesAt: '12' }];
    const broken = attempted(undefined, [done({ breaks, fence: 7 })], OK);
    const after = attempted(broken, [done({ fence })], OK);
    expect(stateIn(after)).toBe(state);
    expect(after.periods[MONTH]).toMatchObject(
      state === 'partial' ? { fence: 7, reason: 'bankone.movements.balances_broken', breaks } : { fence },
    );
  });

  test('that a failed attempt left untouched is complete if an earlier reading ends last', () => {
    const left = attempted(attempted(undefined, [done({ fence: 5 })], OK), [], FAILED);
    expect(stateIn(left)).toBe('partial');
    expect(stateIn(attempted(left, [done({ fence: 6 })], OK))).toBe('complete');
  });

  test('whose reading was doubted says so until the next reading', () => {
    const doubted = attempted(undefined, [done({ isDoubted: true, gap: 'bankone.transfers.facts_changed' })], OK);
    expect(doubted.periods[MONTH]).toMatchObject({ isDoubted: true, isWhole: false });
    expect(attempted(doubted, [done()], OK).periods[MONTH]).not.toHaveProperty('isDoubted');
  });

  test('that was read completely is complete, as of its first answer', () => {
    const coverage = attempted(undefined, [done()], OK);
    expect(stateIn(coverage)).toBe('complete');
    expect(coverage.periods[MONTH]).toMatchObject({ asOf: AS_OF, reason: null, isOpen: false });
    expect(coverage).toMatchObject({
      lastAttempt: { runId: 'run', status: 'ok', errorCode: null },
      lastSuccessAt: AS_OF,
    });
  });

  test('that failed was never read, until it was; then it is partial and says when and why', () => {
    const refused = done({ errorCode: 'source.unexpected_response', errorMessage: 'row 1', found: 0 });
    const failed = attempted(undefined, [refused], FAILED);
    expect(stateIn(failed)).toBe('never');
    const read = attempted(failed, [done()], OK);
    expect(stateIn(read)).toBe('complete');
    const again = attempted(read, [refused], FAILED, [MONTH], LATER);
    expect(stateIn(again)).toBe('partial');
    expect(again.periods[MONTH]).toMatchObject({ asOf: AS_OF, reason: 'source.unexpected_response' });
    expect(again).toMatchObject({ lastAttempt: { finishedAt: LATER, status: 'failed' }, lastSuccessAt: AS_OF });
  });

  test('that was planned and not reached has the fault of the scope', () => {
    const coverage = attempted(undefined, [done()], FAILED, [MONTH, '2026-11']);
    expect([stateIn(coverage), stateIn(coverage, '2026-11')]).toEqual(['complete', 'never']);
    expect(coverage.periods['2026-11']!.reason).toBe('source.timeout');
  });

  test('with a few unreadable lines is stored and incomplete', () => {
    const odd = done({ errorCode: 'source.unexpected_response', errorMessage: 'line 4', isIncomplete: true });
    const coverage = attempted(undefined, [odd], { status: 'partial', errorCode: 'source.unexpected_response' });
    expect(coverage.periods[MONTH]).toMatchObject({
      asOf: AS_OF,
      isWhole: false,
      reason: 'source.unexpected_response',
    });
    expect(stateIn(coverage)).toBe('partial');
  });

  test.each(['tax.guias.out_of_window', 'bankone.movements.not_published', 'bankthree.movements.not_available'])(
    'that the source does not show (%s) is never complete',
    (gap) => {
      const nothing = done({ found: 0, gap });
      const first = attempted(undefined, [nothing], OK);
      expect([stateIn(first), first.periods[MONTH]!.reason]).toEqual(['never', gap]);
      const later = attempted(attempted(undefined, [done()], OK), [nothing], OK, [MONTH], LATER);
      expect([stateIn(later), later.periods[MONTH]!.asOf]).toEqual(['partial', AS_OF]);
    },
  );

  test('of which the source shows a part is partial, as of now', () => {
    const coverage = attempted(undefined, [done({ gap: 'tax.rcv.total_only' })], OK);
    expect([stateIn(coverage), coverage.periods[MONTH]!.asOf]).toEqual(['partial', AS_OF]);
  });

  test('without rows says that it ties out', () => {
    const { periods } = attempted(undefined, [done({ found: 0, tiesOut: true })], OK);
    expect(periods[MONTH]).toMatchObject({ isWhole: true, tiesOut: true });
  });
});

test('an attempt that never began leaves every month as it was', () => {
  const before = attempted(undefined, [done()], OK);
  const outcome = { status: 'cancelled', errorCode: 'sync.cancelled' } as const;
  const coverage = coverageAfter(before, null, outcome, { runId: 'other', finishedAt: LATER, periodsMax: 3 });
  expect(coverage.periods).toEqual(before.periods);
  expect(coverage).toMatchObject({ lastAttempt: { runId: 'other', status: 'cancelled' }, lastSuccessAt: AS_OF });
});

test('a scope without months has one entry', () => {
  const coverage = attempted(undefined, [done({ period: null })], OK, []);
  expect(Object.keys(coverage.periods)).toEqual([NO_PERIOD]);
});

test('above the limit months that were never read go first, then the oldest', () => {
  const months = ['2026-06', '2026-07', '2026-08', '2026-09', MONTH];
  const all = months.map((period) =>
    period === MONTH ? done({ period, found: 0, gap: 'tax.rcv.out_of_window' }) : done({ period }),
  );
  expect(Object.keys(attempted(undefined, all, OK, months).periods).sort()).toEqual(['2026-07', '2026-08', '2026-09']);
});

describe('what is reported of a month later', () => {
  const rows = (count: number, isHalfWritten = false) => ({ rows: count, isHalfWritten });
  const CURRENT = '2026-12';
  const whole = (changes: Partial<CoveredPeriod> = {}): CoveredPeriod => ({
    ...{ asOf: AS_OF, isWhole: true, reason: null, isOpen: false, tiesOut: false },
    ...changes,
  });

  // Santiago is three hours behind in summer, four in winter.
  test.each([
    ['2026-10', '2026-10-20T15:00:00.000Z', 'partial'],
    ['2026-10', '2026-11-01T02:59:59.000Z', 'partial'],
    ['2026-10', '2026-11-01T03:00:00.000Z', 'complete'],
    ['2026-06', '2026-07-01T03:59:59.000Z', 'partial'],
    ['2026-06', '2026-07-01T04:00:00.000Z', 'complete'],
    ['2025-12', '2026-01-01T02:59:59.000Z', 'partial'],
    ['2026-09', '2026-12-05T12:00:00.000Z', 'complete'],
  ])('%s as of %s is %s', (period, asOf, state) => {
    const reason = state === 'partial' ? 'read_before_month_end' : null;
    expect(describeMonth(period, whole({ asOf }), rows(3), CURRENT)).toEqual({ state, reason, asOf, isOpen: false });
  });

  test('the month of now is complete so far, and open', () => {
    expect(describeMonth(CURRENT, whole(), rows(3), CURRENT)).toMatchObject({
      state: 'complete',
      reason: null,
      isOpen: true,
    });
  });

  test('a month that a worker left between two rows is partial until a reading writes it', () => {
    const half = { state: 'partial', reason: 'half_written', asOf: AS_OF };
    expect(describeMonth(MONTH, whole(), rows(3, true), CURRENT)).toMatchObject(half);
  });

  test('another reason goes first', () => {
    const early = { asOf: '2026-10-20T15:00:00.000Z', isWhole: false, reason: 'source.timeout' };
    expect(describeMonth(MONTH, whole(early), rows(3), CURRENT)).toMatchObject({
      state: 'partial',
      reason: 'source.timeout',
    });
    expect(describeMonth(MONTH, whole(early), rows(3, true), CURRENT)).toMatchObject({ reason: 'source.timeout' });
  });

  const KEPT = done({ found: 0, gap: 'tax.rcv.rows_kept', readAt: READ_AT + 86_400 });
  const early = done({ readAt: Date.parse('2026-10-20T15:00:00Z') / 1000 });
  const kept = attempted(attempted(undefined, [early], OK), [KEPT], OK).periods[MONTH]!;

  test('rows retained after an empty reading leave it partial, as of the reading that showed them', () => {
    const told = { state: 'partial', reason: 'tax.rcv.rows_kept', asOf: '2026-10-20T15:00:00.000Z', isOpen: false };
    expect(describeMonth(MONTH, kept, rows(1), CURRENT)).toEqual(told);
  });

  test('once none of them is left, the empty reading counts as complete', () => {
    const told = { state: 'complete', reason: null, asOf: LATER, isOpen: false };
    expect(describeMonth(MONTH, kept, rows(0), CURRENT)).toEqual(told);
  });

  test('of a release that stored no time of empty readings: as of the one before', () => {
    const { emptyAt: _, ...before } = kept;
    const reason = 'tax.rcv.rows_kept';
    expect(describeMonth(MONTH, { ...before, asOf: AS_OF }, rows(0), CURRENT)).toMatchObject({
      state: 'complete',
      asOf: AS_OF,
    });
    expect(describeMonth(MONTH, { ...before, asOf: null }, rows(0), CURRENT)).toMatchObject({ state: 'never', reason });
  });

  test.each([
    ['a failure', done({ errorCode: 'source.timeout', errorMessage: 'x', found: 0 }), 'source.timeout'],
    ['what the source shows no more', done({ found: 0, gap: 'tax.rcv.out_of_window' }), 'tax.rcv.out_of_window'],
  ])('%s after it counts, rows or none', (_, next, reason) => {
    const before: Coverage = { ...attempted(undefined, [early], OK), periods: { [MONTH]: kept } };
    const after = attempted(before, [next], OK).periods[MONTH]!;
    expect(describeMonth(MONTH, after, rows(0), CURRENT)).toMatchObject({ state: 'partial', reason });
  });
});
