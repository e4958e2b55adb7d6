import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { planPeriods, splitBegun } from '#shared/sync/reading/period-plan.rules.ts';
import { terminalStatus } from '#shared/sync/run.rules.ts';
import type { PeriodDone } from '#shared/sync/task/period-done.rules.ts';
import {
  addNotices,
  attemptsAfterLease,
  backoffMs,
  buildOutcome,
  mayAskAgain,
  newTask,
  periodsLeft,
  type SyncTask,
} from '#shared/sync/task/task.rules.ts';
import { noticeCode } from '#shared/values/notice-code.ts';

const task = (changes: Partial<SyncTask>): SyncTask => ({
  ...newTask({ organizationId: 'o', connectionId: 'c', runId: 'r', source: 'tax', scope: 'rcv' }, 0),
  firstLeasedAt: '2026-11-21T10:00:00.000Z',
  ...changes,
});
const done = (period: string, changes: Partial<PeriodDone> = {}): PeriodDone => ({
  period,
  found: 1,
  created: 1,
  updated: 0,
  errorCode: null,
  errorMessage: null,
  ...changes,
});
const NOW = Date.parse('2026-11-21T10:00:05.000Z');

describe('outcome of a scope', () => {
  test('ok when every period is done cleanly, with sums and the newest period that has rows', () => {
    const outcome = buildOutcome(
      task({
        periods: ['2026-09', '2026-10'],
        done: [done('2026-09', { found: 3, created: 2 }), done('2026-10', { found: 0, created: 0 })],
      }),
      NOW,
      null,
    );
    expect(outcome).toMatchObject({
      status: 'ok',
      recordsFound: 3,
      recordsCreated: 2,
      period: '2026-09',
      periods: ['2026-09', '2026-10'],
      durationMs: 5_000,
      errorCode: null,
    });
  });

  test('the newest asked when no period has rows', () => {
    const empty = { found: 0, created: 0 };
    const outcome = buildOutcome(
      task({ periods: ['2026-09', '2026-10'], done: [done('2026-09', empty), done('2026-10', empty)] }),
      NOW,
      null,
    );
    expect(outcome.period).toBe('2026-10');
  });

  test('never ok with a failed or missing period, or with a failure', () => {
    const failed = done('2026-10', { errorCode: 'source.unexpected_response', errorMessage: 'x' });
    fc.assert(
      fc.property(fc.boolean(), fc.boolean(), fc.boolean(), (hasClean, hasFailed, hasFailure) => {
        const list = [...(hasClean ? [done('2026-08')] : []), ...(hasFailed ? [failed] : [])];
        const failure = hasFailure ? { code: 'source.unavailable' as const, message: 'down' } : null;
        const outcome = buildOutcome(task({ periods: ['2026-08', '2026-10'], done: list }), NOW, failure);
        expect(outcome.status).toBe(hasClean ? 'partial' : 'failed');
        expect(outcome.errorCode).not.toBeNull();
      }),
    );
  });

  test('a period with a few unreadable lines is synchronized, and makes the scope partial even if it is the only one', () => {
    const fault = { errorCode: 'source.unexpected_response', errorMessage: 'line 3' } as const;
    const incomplete = done('2026-10', { ...fault, found: 20, isIncomplete: true });
    const outcome = buildOutcome(task({ periods: ['2026-10'], done: [incomplete] }), NOW, null);
    expect(outcome).toMatchObject({
      status: 'partial',
      recordsFound: 20,
      period: '2026-10',
      periods: ['2026-10'],
      ...fault,
      errorMessage: 'rcv, 2026-10: line 3',
    });
  });

  test('ok exactly when every period asked is done without a fault; partial when any has its rows', () => {
    const kind = fc.constantFrom('clean', 'incomplete', 'failed', 'missing');
    const fault = { errorCode: 'source.unexpected_response', errorMessage: 'x' } as const;
    const changes = { clean: {}, incomplete: { ...fault, isIncomplete: true }, failed: { ...fault, found: 0 } };
    fc.assert(
      fc.property(fc.array(kind, { minLength: 1, maxLength: 6 }), (kinds) => {
        const periods = kinds.map((_, at) => `2026-0${at + 1}`);
        const list = kinds.flatMap((of, at) => (of === 'missing' ? [] : [done(periods[at]!, changes[of])]));
        const outcome = buildOutcome(task({ periods, done: list }), NOW, null);
        const stored = periods.filter((_, at) => kinds[at] === 'clean' || kinds[at] === 'incomplete');
        const isClean = kinds.every((of) => of === 'clean');
        expect(outcome.status).toBe(isClean ? 'ok' : stored.length > 0 ? 'partial' : 'failed');
        expect(outcome.periods).toEqual(stored);
        expect(outcome.errorCode === null).toBe(isClean);
        const run = terminalStatus(['rcv'], { rcv: outcome }, null);
        expect(run).toBe(isClean ? 'succeeded' : stored.length > 0 ? 'partial' : 'failed');
      }),
    );
  });

  test('never ok before it was planned', () => {
    expect(buildOutcome(task({ periods: null }), NOW, null).status).toBe('failed');
  });
});

describe('moves of the work', () => {
  test('a handover continues the same attempt, everything else begins another', () => {
    expect(attemptsAfterLease({ state: 'handover', attempts: 2 })).toBe(2);
    for (const state of ['queued', 'waiting', 'working'] as const)
      expect(attemptsAfterLease({ state, attempts: 2 })).toBe(3);
  });

  test('periods left are those not done, in order', () => {
    expect(periodsLeft({ periods: ['2026-08', '2026-09', null], done: [done('2026-08')] })).toEqual(['2026-09', null]);
    expect(periodsLeft({ periods: [null], done: [{ ...done(''), period: null }] })).toEqual([]);
  });

  test('notices are stored once and counted beyond the limit', () => {
    const notice = (n: number) => ({ code: 'tax.rcv.out_of_window', message: `month ${n}` }) as const;
    const twice = addNotices([notice(1)], [notice(1), notice(2)], 20);
    expect(twice).toEqual([notice(1), notice(2)]);
    const many = addNotices(
      [],
      Array.from({ length: 30 }, (_, n) => notice(n)),
      20,
    );
    expect(many).toHaveLength(20);
    expect(many.at(-1)?.message).toBe('11 more notices');
    expect(addNotices(many, [notice(40)], 20).at(-1)?.message).toBe('12 more notices');
  });

  test('rows that were removed are reported first, and no other notice replaces them', () => {
    const notice = (n: number) => ({ code: 'bankone.movements.nothing_shown', message: `month ${n}` }) as const;
    const removed = { code: 'bankone.movements.rows_replaced', message: '2026-10: 2 rows' } as const;
    const full = Array.from({ length: 25 }, (_, n) => notice(n));
    for (const all of [addNotices(full, [removed], 20), addNotices(addNotices([], full, 20), [removed], 20)]) {
      expect(all).toHaveLength(20);
      expect(all[0]).toEqual(removed);
      expect(all.at(-1)?.message).toBe('7 more notices');
    }
  });

  test('no notice is lost, however they come: listed or counted', () => {
    const some = fc.uniqueArray(fc.nat(99), { maxLength: 60 });
    fc.assert(
      fc.property(some, fc.nat(60), fc.integer({ min: 2, max: 20 }), (numbers, cut, max) => {
        const notices = numbers.map((n) => ({
          code: noticeCode('a.b', n % 7 ? 'rows_kept' : 'rows_replaced'),
          message: `month ${n}`,
        }));
        const all = addNotices(
          addNotices([], notices.slice(0, cut), max),
          addNotices([], notices.slice(cut), max),
          max,
        );
        expect(all.length).toBeLessThanOrEqual(max);
        const counted = all.filter(({ code }) => code === 'sync.more_notices');
        const more = counted.reduce((sum, { message }) => sum + Number.parseInt(message, 10), 0);
        expect(all.length - counted.length + more).toBe(notices.length);
      }),
    );
  });

  test('equal counts of further notices add up', () => {
    const three = Array.from({ length: 3 }, (_, n) => ({
      code: noticeCode('a.b', 'rows_kept'),
      message: `month ${n}`,
    }));
    const others = three.map(({ code, message }) => ({ code, message: `other ${message}` }));
    expect(addNotices(addNotices([], three, 2), addNotices([], others, 2), 2).at(-1)).toEqual({
      code: 'sync.more_notices',
      message: '5 more notices',
      params: { count: 5 },
    });
  });

  test('an answer refused by its content is requested once more, and never after the last attempt', () => {
    expect(mayAskAgain({ refused: [], attempts: 1 }, '2026-10', 4)).toBe(true);
    expect(mayAskAgain({ refused: ['2026-09'], attempts: 3 }, '2026-10', 4)).toBe(true);
    expect(mayAskAgain({ refused: ['2026-10'], attempts: 2 }, '2026-10', 4)).toBe(false);
    expect(mayAskAgain({ refused: [], attempts: 4 }, '2026-10', 4)).toBe(false);
  });

  test('back-off grows, stays under its maximum and never is nothing', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), fc.double({ min: 0, max: 1, noNaN: true }), (attempts, random) => {
        const ms = backoffMs(attempts, 5_000, 300_000, random);
        expect(ms).toBeGreaterThanOrEqual(2_500);
        expect(ms).toBeLessThanOrEqual(300_000);
      }),
    );
    expect(backoffMs(2, 5_000, 300_000, 1)).toBe(10_000);
  });
});

describe('periods of a sync', () => {
  test('what was asked, oldest first and once', () => {
    expect(
      planPeriods({ periods: ['2026-10', '2026-08', '2026-10'] }, '2026-11', { everSynced: true, backfillMonths: 12 }),
    ).toEqual(['2026-08', '2026-10']);
    expect(
      planPeriods({ from_period: '2025-12', to_period: '2026-02' }, '2026-11', {
        everSynced: true,
        backfillMonths: 12,
      }),
    ).toEqual(['2025-12', '2026-01', '2026-02']);
  });

  test('a month that has not begun is apart', () => {
    expect(splitBegun(['2026-10', '2026-11', '2026-12'], '2026-11')).toEqual({
      begun: ['2026-10', '2026-11'],
      notBegun: ['2026-12'],
    });
  });

  test('else the current and the previous month, or the backfill when never synchronized', () => {
    expect(planPeriods({}, '2026-01', { everSynced: true, backfillMonths: 12 })).toEqual(['2025-12', '2026-01']);
    const backfill = planPeriods({}, '2026-11', { everSynced: false, backfillMonths: 12 });
    expect(backfill).toHaveLength(12);
    expect(backfill[0]).toBe('2025-12');
  });
});
